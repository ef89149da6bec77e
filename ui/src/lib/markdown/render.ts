import DOMPurify from 'dompurify';
import MarkdownIt from 'markdown-it';

/**
 * Markdown of servers. HTML in it stays text; images are not loaded but named; links carry
 * their address as data and go nowhere by themselves. What comes out is cleaned once more.
 */
const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false });

markdown.renderer.rules.link_open = (tokens, index) => {
  const address = String(tokens[index]?.attrGet('href') ?? '');
  return `<a role="link" tabindex="0" data-address="${markdown.utils.escapeHtml(address)}">`;
};

markdown.renderer.rules.image = (tokens, index) => {
  const token = tokens[index];
  const address = String(token?.attrGet('src') ?? '');
  const text = token?.content || 'image';
  const title = address.startsWith('data:') ? 'embedded' : address;
  return `<code>${markdown.utils.escapeHtml(`[image: ${text}] ${title}`)}</code>`;
};

const TAGS =
  'a blockquote br code em h1 h2 h3 h4 h5 h6 hr li ol p pre s strong table tbody td th thead tr ul';

/** Nodes to show; no script, style, form, image or navigating link can be among them. */
export function renderMarkdown(text: string): DocumentFragment {
  return DOMPurify.sanitize(markdown.render(text), {
    ALLOWED_TAGS: TAGS.split(' '),
    ALLOWED_ATTR: ['data-address', 'role', 'start', 'tabindex'],
    ALLOW_DATA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });
}
