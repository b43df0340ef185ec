const intervalMs = 150;

/** The same function, called at most once in an interval; what is told in between is left out. */
export function throttle<Value>(tell: (value: Value) => void): (value: Value) => void {
  let lastMs = -Infinity;
  return (value) => {
    const nowMs = performance.now();
    if (nowMs - lastMs < intervalMs) return;
    lastMs = nowMs;
    tell(value);
  };
}
