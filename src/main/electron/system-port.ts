import type { Net, PowerMonitor, PowerSaveBlocker } from 'electron';
import type { SystemEvent, SystemPort, SystemState } from '../backend/ports.ts';

const lookMs = 5000;

/** Power and network as Electron tells of them. Whether the connection is metered is asked of the host's own system. */
export function createElectronSystem(parts: {
  powerMonitor: Pick<PowerMonitor, 'isOnBatteryPower' | 'on' | 'off'>;
  powerSaveBlocker: Pick<PowerSaveBlocker, 'start' | 'stop'>;
  net: Pick<Net, 'isOnline'>;
  /** What there is to know without Electron. */
  host: Pick<SystemPort, 'read'>;
}): SystemPort {
  const { powerMonitor, powerSaveBlocker, net } = parts;
  let blocker: number | null = null;
  return {
    async read(): Promise<SystemState> {
      const { isMetered } = await parts.host.read();
      return { isMetered, isOnBattery: powerMonitor.isOnBatteryPower() };
    },
    onEvent(listener) {
      const stops = [
        follow(powerMonitor, { name: 'suspend', event: 'suspend', listener }),
        follow(powerMonitor, { name: 'resume', event: 'resume', listener }),
        follow(powerMonitor, { name: 'on-ac', event: 'power', listener }),
        follow(powerMonitor, { name: 'on-battery', event: 'power', listener }),
        // Electron has no event for it. That it is online proves nothing; that it has become so is worth a look.
        followOnline(net, () => listener('network')),
      ];
      return () => {
        for (const stop of stops) stop();
      };
    },
    keepAwake(isOn) {
      if (isOn) {
        blocker ??= powerSaveBlocker.start('prevent-app-suspension');
      } else if (blocker !== null) {
        powerSaveBlocker.stop(blocker);
        blocker = null;
      }
    },
  };
}

function follow(
  powerMonitor: Pick<PowerMonitor, 'on' | 'off'>,
  options: {
    name: 'suspend' | 'resume' | 'on-ac' | 'on-battery';
    event: SystemEvent;
    listener: (event: SystemEvent) => void;
  },
): () => void {
  const tell = (): void => options.listener(options.event);
  // Electron declares each name as an overload of its own.
  powerMonitor.on(options.name as 'suspend', tell);
  return () => void powerMonitor.off(options.name as 'suspend', tell);
}

function followOnline(net: Pick<Net, 'isOnline'>, onChange: () => void): () => void {
  let wasOnline = net.isOnline();
  const timer = setInterval(() => {
    const isOnline = net.isOnline();
    if (isOnline !== wasOnline) onChange();
    wasOnline = isOnline;
  }, lookMs);
  timer.unref();
  return () => clearInterval(timer);
}
