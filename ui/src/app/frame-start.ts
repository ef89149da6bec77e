import { afterFrame, drawFrame, readGiven } from './frame';

window.sightglassSnapshot = readGiven();
// Its text is as large as what was read of it.
document.getElementById('given')?.remove();
drawFrame(window.sightglassSnapshot);

// The code of the window is on its way already, and is run when the frame has been seen.
const code = document.querySelector<HTMLLinkElement>('link[data-start]');
if (code) afterFrame(() => void import(/* @vite-ignore */ code.href));
