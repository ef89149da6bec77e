import { expect, test } from 'vitest';
import { renderMarkdown } from './render';

function html(text: string): HTMLElement {
  const host = document.createElement('div');
  host.append(renderMarkdown(text));
  return host;
}

test('ordinary Markdown is laid out', () => {
  const shown = html('# Title\n\nSome **bold** text.\n\n- one\n- two');
  expect(shown.querySelector('h1')).toHaveTextContent('Title');
  expect(shown.querySelector('strong')).toHaveTextContent('bold');
  expect(shown.querySelectorAll('li')).toHaveLength(2);
});

test('scripts and other HTML stay visible as text', () => {
  const shown = html('<script>alert(1)</script>\n\nx <img src=x onerror=alert(1)> <b>y</b>');
  expect(shown.querySelector('script, img, b')).toBeNull();
  expect(shown).toHaveTextContent('<script>alert(1)</script>');
  expect(shown).toHaveTextContent('onerror=alert(1)');
});

test('links carry their address and navigate nowhere', () => {
  const link = html('[site](https://example.com/a?b=1&c="2")').querySelector('a');
  expect(link).not.toHaveAttribute('href');
  expect(link?.dataset.address).toMatch(/^https:\/\/example\.com\/a\?b=1&c=/);
});

test('javascript and data addresses are no links', () => {
  const shown = html(
    '[a](javascript:alert(1)) [b](JaVaScRiPt:alert(1)) [c](data:text/html,x) [d](vbscript:x)',
  );
  expect(shown.querySelector('a')).toBeNull();
});

test('images are named, not loaded', () => {
  const shown = html('![a cat](https://tracker.example/cat.png)');
  expect(shown.querySelector('img')).toBeNull();
  expect(shown).toHaveTextContent('[image: a cat] https://tracker.example/cat.png');
});

test('an address cannot break out of its attribute', () => {
  const shown = html('[x](https://e.com/"onclick="alert(1)) <a href="javascript:alert(1)">y</a>');
  for (const link of shown.querySelectorAll('a')) {
    expect(link.getAttributeNames().sort()).toEqual(['data-address', 'role', 'tabindex']);
  }
});
