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
    const note = ({ clientX, clientY, target }) =>
      noteEvent(noted, `${kind} at ${clientX}, ${clientY}: ${partOf(target)}`);
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

// Notes where a part stands that an event is meant for.
function aimAt(part) {
  const { x, y, width, height } = part.getBoundingClientRect();
  noteEvent(events, `meant for ${partOf(part)} in ${x}, ${y}, ${width} × ${height}`);
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
