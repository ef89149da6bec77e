import { create } from 'zustand';
import type { DoctorReport, ServerId } from '@/backend/bindings';

interface DoctorState {
  /** The last report of the doctor on each server that was examined. */
  reports: Readonly<Record<ServerId, DoctorReport>>;
  set(report: DoctorReport): void;
  dismiss(server: ServerId): void;
}

export const useDoctor = create<DoctorState>((set) => ({
  reports: {},
  set: (report) => set(({ reports }) => ({ reports: { ...reports, [report.server]: report } })),
  dismiss: (server) =>
    set(({ reports: { [server]: _, ...others } }) => ({
      reports: others,
    })),
}));
