// Finds parts of the page by role and accessible name (WAI-ARIA 1.2; Accessible Name and
// Description Computation 1.2, as far as this application goes).

const implicitRoles = [
  ['button', 'button, summary, input[type=button], input[type=submit]'],
  ['link', 'a[href]'],
  ['checkbox', 'input[type=checkbox]:not([role])'],
  ['radio', 'input[type=radio]'],
  ['searchbox', 'input[type=search]'],
  ['spinbutton', 'input[type=number]'],
  [
    'textbox',
    'textarea, input:not([type]), input[type=text], input[type=url], input[type=email], input[type=password]',
  ],
  ['combobox', 'select'],
  ['heading', 'h1, h2, h3, h4, h5, h6'],
  ['dialog', 'dialog'],
  ['region', 'section[aria-label], section[aria-labelledby]'],
  ['navigation', 'nav'],
  ['complementary', 'aside'],
  ['main', 'main'],
  ['status', 'output'],
  ['progressbar', 'progress'],
  ['table', 'table'],
  ['row', 'tr'],
  ['listitem', 'li'],
  ['list', 'ul, ol'],
];
const namedByContent = new Set([
  'button',
  'link',
  'checkbox',
  'radio',
  'tab',
  'option',
  'row',
  'heading',
  'menuitem',
  'menuitemradio',
  'menuitemcheckbox',
  'switch',
  'treeitem',
  'gridcell',
  'columnheader',
  'rowheader',
  'listitem',
]);

function plain(text) {
  return (text ?? '').replace(/\s+/g, ' ').trim();
}

function isShown(element) {
  return (
    element.getClientRects().length > 0 &&
    element.closest('[aria-hidden=true], [inert]') === null &&
    getComputedStyle(element).visibility !== 'hidden'
  );
}

// The words within an element, as far as they count for its name.
function contentOf(node) {
  if (node.nodeType === Node.TEXT_NODE) return node.data;
  if (node.nodeType !== Node.ELEMENT_NODE || node.getAttribute('aria-hidden') === 'true') return '';
  if (getComputedStyle(node).display === 'none') return '';
  const label = node.getAttribute('aria-label') || node.getAttribute('alt');
  if (label) return ` ${label} `;
  const inner = Array.from(node.childNodes, contentOf).join('');
  return getComputedStyle(node).display.startsWith('inline') ? inner : ` ${inner} `;
}

function roleOf(element) {
  const role = element.getAttribute('role');
  if (role) return role.split(' ')[0];
  return implicitRoles.find(([, selector]) => element.matches(selector))?.[0] ?? '';
}

function nameOf(element) {
  const labelledBy = element.getAttribute('aria-labelledby');
  if (labelledBy) {
    const texts = labelledBy.split(' ').map((id) => {
      const label = document.getElementById(id);
      return label ? label.getAttribute('aria-label') || contentOf(label) : '';
    });
    const name = plain(texts.join(' '));
    if (name) return name;
  }
  const label = plain(element.getAttribute('aria-label'));
  if (label) return label;
  const labels = plain(Array.from(element.labels ?? [], contentOf).join(' '));
  if (labels) return labels;
  if (namedByContent.has(roleOf(element))) {
    const content = plain(Array.from(element.childNodes, contentOf).join(' '));
    if (content) return content;
  }
  return plain(element.getAttribute('title') || element.getAttribute('placeholder'));
}

function isNamed(element, name) {
  if (name === null) return true;
  const actual = nameOf(element);
  if ('is' in name) return actual === name.is;
  if ('starts_with' in name) return actual.startsWith(name.starts_with);
  return actual.includes(name.contains);
}

// Everything that fits, in document order.
function findAll(wanted, root = document) {
  if (wanted.inside) {
    const { inside, ...rest } = wanted;
    return findAll(inside, root).flatMap((outer) => findAll({ ...rest, inside: null }, outer));
  }
  const implicit = implicitRoles.find(([role]) => role === wanted.role)?.[1];
  const selector = `[role="${wanted.role}"]${implicit ? `, ${implicit}` : ''}`;
  return Array.from(root.querySelectorAll(selector)).filter(
    (element) =>
      roleOf(element) === wanted.role && isShown(element) && isNamed(element, wanted.name),
  );
}

function find(wanted, root = document) {
  return findAll(wanted, root)[0] ?? null;
}

// The last events of the mouse as the page had them, noted from the first script on.
const events = (window.eventsOfTheMouse ??= noteEvents());

function noteEvents() {
  const noted = [];
  for (const kind of ['mousedown', 'mouseup', 'click']) {
    const note = ({ clientX, clientY, target }) => {
      const part = partOf(target);
      const hit = document.elementFromPoint(clientX, clientY);
      const met = part === 'nothing' ? `nothing, but ${lineageOf(hit ?? target)}` : part;
      noteEvent(noted, `${kind} at ${clientX}, ${clientY}: ${met}`);
    };
    addEventListener(kind, note, true);
  }
  return noted;
}

function noteEvent(noted, text) {
  noted.push(`${Math.round(performance.now())} ms  ${text}`);
  if (noted.length > 30) noted.shift();
}

function partOf(target) {
  const part = target instanceof Element ? target.closest('[role], button, input, textarea') : null;
  return part ? `${roleOf(part) || part.localName} "${nameOf(part).slice(0, 60)}"` : 'nothing';
}

// An element and those around it, the innermost first, for parts that have no role.
function lineageOf(element) {
  const steps = [];
  for (let at = element; at instanceof Element && steps.length < 8; at = at.parentElement) {
    const data = Array.from(at.attributes)
      .filter(({ name }) => name.startsWith('data-'))
      .map(({ name, value }) => `[${name}="${value.slice(0, 40)}"]`);
    const classes = Array.from(at.classList, (name) => `.${name}`);
    steps.push(at.localName + data.join('') + classes.join(''));
  }
  return steps.join(' < ') || 'no element';
}

// Brings a part into view, and says whether it stands still from one frame to the next and a click
// at its middle would hit it. What that would hit instead is noted.
function settle(wanted, done) {
  const part = find(wanted);
  if (!part) return done(false);
  part.scrollIntoView({ block: 'nearest' });
  requestAnimationFrame(() => {
    const before = placeOf(part);
    requestAnimationFrame(() => {
      const stands = part.isConnected && placeOf(part) === before;
      const hit = stands ? atMiddleOf(part) : null;
      const takes = stands && isHit(part, hit);
      if (stands && !takes) {
        const text = `${partOf(part)} is covered by ${lineageOf(hit)}`;
        if (!events.at(-1)?.endsWith(text)) noteEvent(events, text);
      }
      done(takes);
    });
  });
}

// A click at the label of a field is one at the field, which may be drawn by its label alone.
function isHit(part, hit) {
  return [part, ...(part.labels ?? [])].some((element) => element.contains(hit));
}

function placeOf(part) {
  const { x, y, width, height } = part.getBoundingClientRect();
  return `${x}, ${y}, ${width} × ${height}`;
}

// What a click at a part would hit (WebDriver, section 12.1: in-view center point).
function atMiddleOf(part) {
  const box = part.getClientRects()[0];
  if (!box) return null;
  const x = (Math.max(0, box.left) + Math.min(innerWidth, box.right)) / 2;
  const y = (Math.max(0, box.top) + Math.min(innerHeight, box.bottom)) / 2;
  return document.elementFromPoint(x, y);
}

// Notes where a part stands that an event is meant for.
function aimAt(part) {
  noteEvent(events, `meant for ${partOf(part)} in ${placeOf(part)}`);
}

// What the page offers, one line for each part with a role: for the message of a failure.
function outline() {
  const lines = [];
  for (const element of document.querySelectorAll('*')) {
    const role = roleOf(element);
    if (!role || role === 'presentation' || role === 'none' || !isShown(element)) continue;
    const name = nameOf(element).slice(0, 100);
    const text = name ? '' : plain(element.innerText).slice(0, 100);
    lines.push(`${role}${name ? ` "${name}"` : ''}${text ? `: ${text}` : ''}`);
    if (lines.length >= 250) break;
  }
  return [...lines, '', 'Last events of the mouse:', ...events].join('\n');
}
