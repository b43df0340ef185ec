import type { SystemEvent, SystemPort, SystemState } from '../../ports.ts';

/** A system whose power and network are as told. */
export interface ManualSystem extends SystemPort {
  state: SystemState;
  isAwakeKept: boolean;
  emit(event: SystemEvent): void;
}

/** A computer on mains power, on a network without a price. */
export function createManualSystem(): ManualSystem {
  const listeners = new Set<(event: SystemEvent) => void>();
  const system: ManualSystem = {
    state: { isOnBattery: false, isMetered: false },
    isAwakeKept: false,
    read: () => Promise.resolve(system.state),
    onEvent(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    keepAwake: (isOn) => void (system.isAwakeKept = isOn),
    emit: (event) => {
      for (const listener of listeners) listener(event);
    },
  };
  return system;
}
