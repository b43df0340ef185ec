/** Two ends that exchange texts in order. Electron, WebSocket and memory pipes differ in nothing else. */
export interface Pipe {
  send(text: string): void;
  /** One listener; it gets every message from the moment it is set. */
  onMessage(listener: (text: string) => void): void;
  /** Called once, when either end closed. */
  onClose(listener: () => void): void;
  close(): void;
}
