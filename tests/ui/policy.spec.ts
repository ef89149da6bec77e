import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from './support/sightglass';

test.use({ expectedErrors: /directive: "(form-action|base-uri|object-src) 'none'"/ });

test('the page can send no form, move no address, and stand in no frame', async ({
  sightglass,
}) => {
  const asked: string[] = [];
  const frame = () => `<iframe src="${sightglass.page.url()}"></iframe>`;
  const other = createServer((request, answer) => {
    asked.push(request.url ?? '');
    answer.setHeader('content-type', 'text/html').end(frame());
  });
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  try {
    const { page } = sightglass;
    await sightglass.open();
    const refused = await page.evaluate(async (origin) => {
      const refusal = (cause: () => void) =>
        new Promise<string>((resolve) => {
          document.addEventListener(
            'securitypolicyviolation',
            (event) => resolve(event.effectiveDirective),
            { once: true },
          );
          cause();
        });
      const form = document.createElement('form');
      Object.assign(form, { action: `${origin}/form`, method: 'post' });
      const base = document.createElement('base');
      base.href = `${origin}/`;
      const object = document.createElement('object');
      object.data = `${origin}/object`;
      return [
        await refusal(() => {
          document.body.append(form);
          form.submit();
        }),
        await refusal(() => document.head.append(base)),
        await refusal(() => document.body.append(object)),
      ];
    }, origin);
    expect(refused).toEqual(['form-action', 'base-uri', 'object-src']);
    expect(asked).toEqual([]);

    const around = await page.context().newPage();
    const problem = around.waitForEvent('console', {
      predicate: (message) => message.text().includes('frame-ancestors'),
    });
    await around.goto(origin);
    await problem;
    await expect(around.frameLocator('iframe').getByRole('navigation')).toHaveCount(0);
    expect(asked).toContain('/');
  } finally {
    other.close();
  }
});
