/** Shows a change, now or when the window has time for it. */
export type Publish = (notify: () => void) => void;

const AT_ONCE: Publish = (notify) => notify();

/**
 * A store outside React that asks for what is seen of something large, and again when that changes.
 *
 * One load is under way at any time; what changes meanwhile is asked for by the next. An answer
 * that came after `cancel` answers what is no longer asked, and is dropped.
 */
export abstract class PullStore<Load> {
  readonly #publish: Publish;
  readonly #listeners = new Set<() => void>();
  #version = 0;
  #isOpen = false;
  #isBusy = false;
  /** True if there may be more to ask for than when the load under way began. */
  #isPulled = false;
  /** Moves whenever answers on their way no longer answer what is asked. */
  #epoch = 0;

  constructor(publish: Publish = AT_ONCE) {
    this.#publish = publish;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly getVersion = (): number => this.#version;

  /** Starts to ask. */
  open(): void {
    this.#isOpen = true;
    this.pull();
  }

  /** Stops to ask. */
  close(): void {
    this.#isOpen = false;
    this.cancel();
  }

  /** Returns what to ask for next, and takes note that it is asked; null where nothing is. */
  protected abstract next(): Load | null;

  /** Asks, and takes the answer in where it `isCurrent`. */
  protected abstract load(load: Load, isCurrent: () => boolean): Promise<void>;

  /** Takes in the reason why a load failed. It is not made again before the next `pull`. */
  protected abstract fail(reason: unknown, load: Load): void;

  /** Asks for what is wanted, once no other load is under way. */
  protected pull(): void {
    this.#isPulled = true;
    if (!this.#isBusy) void this.#run();
  }

  /** Drops the answer that is on its way. */
  protected cancel(): void {
    this.#epoch += 1;
  }

  /** Tells that something that is shown is another now. */
  protected changed(): void {
    this.#version += 1;
    this.#publish(this.#notify);
  }

  async #run(): Promise<void> {
    this.#isBusy = true;
    try {
      while (this.#isOpen) {
        const load = this.next();
        if (load === null) return;
        this.#isPulled = false;
        const epoch = this.#epoch;
        const isCurrent = () => epoch === this.#epoch;
        try {
          await this.load(load, isCurrent);
        } catch (reason) {
          if (!isCurrent()) continue;
          this.fail(reason, load);
          if (!this.#isPulled) return;
        }
      }
    } finally {
      this.#isBusy = false;
    }
  }

  readonly #notify = (): void => {
    for (const listener of this.#listeners) listener();
  };
}
