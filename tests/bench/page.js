// Measuring inside the page, with its own clock. Comes after the finder's functions.

const nextFrame = () => new Promise(requestAnimationFrame);

// Resolves when the changes made so far have been painted: the first frame paints them, the
// second begins after that.
async function painted() {
  await nextFrame();
  await nextFrame();
}

// The first true answer, asked for once a frame.
async function until(ask) {
  for (;;) {
    const answer = ask();
    if (answer) return answer;
    await nextFrame();
  }
}

// Watches for frames that come late.
function watchFrames() {
  let longest = 0;
  let last = performance.now();
  let watching = true;
  const look = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (watching) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  return {
    stop() {
      watching = false;
      return Math.max(longest, performance.now() - last);
    },
  };
}

// Lets what was going on before come to rest, so that it is not measured.
async function rest() {
  for (let frame = 0; frame < 30; frame++) await nextFrame();
}

const named = (role, name) => ({ role, name: { is: name }, inside: null });
const starting = (role, name) => ({ role, name: { starts_with: name }, inside: null });

// The rows of a grid, its head among them; 0 while it is not shown.
function rowCount(label) {
  const grid = document.querySelector(`[role=grid][aria-label="${label}"]`);
  return Number(grid?.getAttribute('aria-rowcount') ?? 0);
}

// Connects, and goes to the tools as soon as the server has some. Answers when that many of them
// are listed and painted.
async function connectAndList(count) {
  await rest();
  const button = find(named('button', 'Connect'));
  const frames = watchFrames();
  const start = performance.now();
  button.click();
  (await until(() => find(starting('tab', 'Tools')))).click();
  await until(() => {
    const tab = find(starting('tab', 'Tools'));
    if (tab?.innerText.replace(/\D/g, '') !== String(count)) return false;
    const list = find(named('listbox', 'Tools'));
    if (!list || list.getAttribute('aria-busy') === 'true') return false;
    return list.querySelectorAll('[role=option]')[5]?.innerText.trim();
  });
  await painted();
  return { painted: performance.now() - start, stall: frames.stop() };
}

// The longest time between two frames while a list is scrolled: line by line, then through the
// whole of it.
async function scrollList(list, role) {
  await rest();
  const frames = watchFrames();
  for (let step = 0; step < 120; step++) {
    list.scrollTop += 60;
    await nextFrame();
  }
  const end = list.scrollHeight - list.clientHeight;
  for (let step = 0; step <= 180; step++) {
    list.scrollTop = (end * step) / 180;
    await nextFrame();
  }
  const first = list.getBoundingClientRect().top + 40;
  await until(() => {
    const row = document.elementFromPoint(list.getBoundingClientRect().left + 20, first);
    return row?.closest(`[role=${role}]`)?.innerText.trim();
  });
  await painted();
  return frames.stop();
}

const scrollTools = () => scrollList(find(named('listbox', 'Tools')), 'option');

// Shows what that many tools cost a model. Answers when the heaviest are painted.
async function showCost(count) {
  await rest();
  const radio = find(named('radio', 'Cost'));
  const frames = watchFrames();
  const start = performance.now();
  radio.click();
  await until(() => {
    if (rowCount('Tools by cost') !== count + 1) return false;
    const grid = document.querySelector('[role=grid][aria-label="Tools by cost"]');
    return grid.querySelectorAll('[role=row]')[5]?.innerText.trim();
  });
  await painted();
  return { painted: performance.now() - start, stall: frames.stop() };
}

const scrollCost = () => scrollList(find(named('grid', 'Tools by cost')), 'row');

// The longest time between two frames while the sidebar is scrolled through.
async function scrollServers() {
  const list = find(named('listbox', 'Servers'));
  await rest();
  const frames = watchFrames();
  const end = list.scrollHeight - list.clientHeight;
  for (let step = 0; step <= 240; step++) {
    list.scrollTop = (end * step) / 240;
    await nextFrame();
  }
  list.scrollTop = 0;
  await painted();
  return frames.stop();
}

// Waits for a server to be in the sidebar. Answers when it was painted, and the longest time
// between two frames until then.
async function serverAppears(name) {
  const list = find(named('listbox', 'Servers'));
  await rest();
  const frames = watchFrames();
  const row = () =>
    [...list.querySelectorAll('[role=option]')].some((row) => row.textContent.includes(name));
  await until(row);
  await painted();
  return { at: performance.timeOrigin + performance.now(), stall: frames.stop() };
}

// Runs the tool that is open. Answers when its result is painted: `pattern` is what it shows.
async function runTool(pattern) {
  await rest();
  // Asked once a frame, so it may cost nothing: looking for roles and names takes milliseconds.
  const region = find(named('region', 'Result'));
  const sought = new RegExp(pattern);
  const shown = () => {
    // The result before stays until there is another one.
    const status = region.querySelector('[role=status]');
    if (!status || !status.textContent.includes('Done in')) return null;
    const text = region.textContent;
    return sought.test(text) ? text : null;
  };
  const before = shown();
  const button = find(named('button', 'Run'));
  const frames = watchFrames();
  const start = performance.now();
  button.click();
  await until(() => {
    const now = shown();
    return now !== null && now !== before;
  });
  await painted();
  return { shown: performance.now() - start, stall: frames.stop(), start };
}

// How many rows of this kind are on record.
async function recorded(kind) {
  const query = { filter: '', kinds: [kind], invert: false, server: null, until: null };
  const answer = await window.__TAURI_INTERNALS__.invoke('list_traffic', {
    session: null,
    query,
    offset: 0,
    limit: 1,
  });
  return answer.complete ? answer.total : 0;
}

// Runs the tool that is open, which sends `count` log messages, and waits for the record of
// them to be complete. What is missing after a while is lost.
async function flood(count) {
  const before = await recorded('log');
  const run = await runTool('sent');
  const frames = watchFrames();
  let arrived = 0;
  const deadline = performance.now() + 20_000;
  while (performance.now() < deadline) {
    arrived = (await recorded('log')) - before;
    if (arrived >= count) break;
    await nextFrame();
  }
  const drained = performance.now() - run.start;
  await rest();
  return {
    shown: run.shown,
    drained,
    lost: count - arrived,
    stall: Math.max(run.stall, frames.stop()),
  };
}

// Shows the calls of a record that was read in full as a timeline. Answers with the
// milliseconds until they were painted.
async function showTimeline(count) {
  const drawer = find({ role: 'region', name: { starts_with: 'Traffic drawer' }, inside: null });
  find(named('tab', 'Calls')).click();
  await until(() => drawer.innerText.replace(/[,\u202f\u00a0.]/g, '').includes(String(count)));
  await rest();
  const button = find(named('tab', 'Timeline'));
  const start = performance.now();
  button.click();
  await until(() => {
    const plot = drawer.querySelector('[role=application]');
    return plot && Number(plot.dataset.bars) + Number(plot.dataset.bins) > 0;
  });
  await painted();
  return performance.now() - start;
}

// The longest time between two frames while the timeline is zoomed in to single operations, moved
// along, and zoomed out again, by the wheel.
async function zoomTimeline() {
  const plot = find(named('application', 'Timeline'));
  const box = plot.getBoundingClientRect();
  const turn = (deltaY, shiftKey) =>
    plot.dispatchEvent(
      new WheelEvent('wheel', {
        deltaY,
        shiftKey,
        clientX: box.left + box.width * 0.6,
        clientY: box.top + box.height / 2,
        bubbles: true,
        cancelable: true,
      }),
    );
  await rest();
  const frames = watchFrames();
  let count = 0;
  for (const [turns, delta, sideways] of [
    [100, -40, false],
    [100, 60, true],
    [140, 40, false],
  ]) {
    for (let step = 0; step < turns; step++) {
      turn(delta, sideways);
      await nextFrame();
      count += 1;
    }
  }
  await painted();
  return { stall: frames.stop(), frames: count };
}
