import { StreamLanguage } from '@codemirror/language';

interface TomlState {
  /** The quotes of a string that goes over several lines. */
  open: '"""' | "'''" | null;
  /** True if a value is expected, and no name. */
  inValue: boolean;
}

/** Colours for TOML 1.0; what is wrong with a text is for its reader to say. */
export const toml = StreamLanguage.define<TomlState>({
  name: 'toml',
  startState: () => ({ open: null, inValue: false }),
  copyState: (state) => ({ ...state }),
  token(stream, state) {
    if (state.open) {
      const end = stream.string.indexOf(state.open, stream.pos);
      if (end < 0) stream.skipToEnd();
      else {
        stream.pos = end + state.open.length;
        state.open = null;
      }
      return 'string';
    }
    if (stream.sol()) state.inValue = false;
    if (stream.eatSpace()) return null;
    if (stream.match('#')) {
      stream.skipToEnd();
      return 'comment';
    }
    if (!state.inValue && stream.match(/^\[\[?[^\]]*\]?\]?/)) return 'propertyName';
    const opened = stream.match(/^("""|''')/);
    if (opened && opened !== true) {
      state.open = opened[0] as '"""' | "'''";
      return 'string';
    }
    if (stream.match(/^"(?:[^"\\]|\\.)*"?/) || stream.match(/^'[^']*'?/)) {
      return state.inValue ? 'string' : 'propertyName';
    }
    if (stream.match('=')) {
      state.inValue = true;
      return 'punctuation';
    }
    if (stream.match(/^(true|false)\b/)) return 'bool';
    if (state.inValue && stream.match(/^[+-]?\d[\w.:+-]*/)) return 'number';
    if (stream.match(/^[\w.-]+/)) return 'propertyName';
    // An inline table begins names again after a brace or a comma.
    const sign = stream.next();
    if (sign === '{') state.inValue = false;
    return 'punctuation';
  },
  languageData: { commentTokens: { line: '#' } },
});
