/** The state of a job of the backend, whatever it does. */
interface JobState<Report> {
  readonly isRunning: boolean;
  /** Absent until it ends, and where it could not run at all. */
  readonly report: Report | null;
  /** The reason why it could not run at all. */
  readonly problem: string | null;
}

/** A job of the backend, as far as it is. */
export type Job<Progress, Report> = Readonly<Progress> & JobState<Report>;

/** Returns a job that has begun. */
export function started<Progress, Report>(progress: Progress): Job<Progress, Report> {
  return { ...progress, isRunning: true, report: null, problem: null };
}

/** Returns a job as it ended; `last` is what its end says of the progress. */
export function ended<Progress, Report>(
  job: Job<Progress, Report>,
  { report, problem }: Pick<JobState<Report>, 'report' | 'problem'>,
  last?: Partial<Progress>,
): Job<Progress, Report> {
  return { ...job, ...last, isRunning: false, report, problem };
}
