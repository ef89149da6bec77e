import { describe, expect, it, vi } from 'vitest';
import { PullStore } from './pull-store';

/** A store of one text, whose loads the test ends. */
class Texts extends PullStore<string> {
  wanted: string[] = [];
  asked: string[] = [];
  shown: string[] = [];
  failures: unknown[] = [];
  #ends: { resolve: () => void; reject: (reason: unknown) => void }[] = [];

  want(...texts: string[]): void {
    this.wanted.push(...texts);
    this.pull();
  }

  forget(): void {
    this.wanted = [];
    this.cancel();
  }

  protected next(): string | null {
    return this.wanted[0] ?? null;
  }

  protected async load(text: string, isCurrent: () => boolean): Promise<void> {
    this.asked.push(text);
    await new Promise<void>((resolve, reject) => this.#ends.push({ resolve, reject }));
    if (!isCurrent()) return;
    this.wanted.shift();
    this.shown.push(text);
    this.changed();
  }

  protected fail(reason: unknown): void {
    this.failures.push(reason);
    this.changed();
  }

  async answer(): Promise<void> {
    this.#ends.shift()?.resolve();
    await settled();
  }

  async refuse(reason: unknown): Promise<void> {
    this.#ends.shift()?.reject(reason);
    await settled();
  }
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
}

describe('a pull store', () => {
  it('asks for nothing until it is open, and for nothing once it is closed', async () => {
    const texts = new Texts();
    texts.want('one');
    expect(texts.asked).toEqual([]);
    texts.open();
    expect(texts.asked).toEqual(['one']);
    texts.close();
    texts.want('two');
    await texts.answer();
    expect(texts.asked).toEqual(['one']);
    expect(texts.shown).toEqual([]);
  });

  it('asks one thing at a time, and then for what came meanwhile', async () => {
    const texts = new Texts();
    texts.open();
    texts.want('one');
    texts.want('two', 'three');
    expect(texts.asked).toEqual(['one']);
    await texts.answer();
    expect(texts.asked).toEqual(['one', 'two']);
    await texts.answer();
    await texts.answer();
    expect(texts.shown).toEqual(['one', 'two', 'three']);
  });

  it('drops an answer to what is no longer asked, and its failure', async () => {
    const texts = new Texts();
    texts.open();
    texts.want('one');
    texts.forget();
    texts.want('two');
    await texts.answer();
    expect(texts.shown).toEqual([]);
    expect(texts.asked).toEqual(['one', 'two']);
    texts.forget();
    await texts.refuse(new Error('gone'));
    expect(texts.failures).toEqual([]);
  });

  it('asks again after it was closed and opened while a load was under way', async () => {
    const texts = new Texts();
    texts.want('one');
    texts.open();
    texts.close();
    texts.open();
    await texts.answer();
    expect(texts.asked).toEqual(['one', 'one']);
    await texts.answer();
    expect(texts.shown).toEqual(['one']);
  });

  it('does not ask again by itself for what failed', async () => {
    const texts = new Texts();
    texts.open();
    texts.want('one');
    await texts.refuse('no disk');
    expect(texts.failures).toEqual(['no disk']);
    expect(texts.asked).toEqual(['one']);
    texts.want();
    await texts.answer();
    expect(texts.shown).toEqual(['one']);
  });

  it('asks again for what failed where it was pulled meanwhile', async () => {
    const texts = new Texts();
    texts.open();
    texts.want('one');
    texts.want('two');
    await texts.refuse('no disk');
    expect(texts.asked).toEqual(['one', 'one']);
  });

  it('tells its listeners of each change by a new version', async () => {
    const texts = new Texts();
    const listener = vi.fn();
    const stop = texts.subscribe(listener);
    const before = texts.getVersion();
    texts.open();
    texts.want('one');
    await texts.answer();
    expect(listener).toHaveBeenCalledOnce();
    expect(texts.getVersion()).not.toBe(before);
    stop();
    texts.want('two');
    await texts.answer();
    expect(listener).toHaveBeenCalledOnce();
  });

  it('is published as its owner wants', async () => {
    const waiting: (() => void)[] = [];
    const texts = new Texts((notify) => waiting.push(notify));
    const listener = vi.fn();
    texts.subscribe(listener);
    texts.open();
    texts.want('one');
    await texts.answer();
    expect(listener).not.toHaveBeenCalled();
    waiting[0]?.();
    expect(listener).toHaveBeenCalledOnce();
  });
});
