import type { Component } from 'svelte';

/** Something to do, in a menu. */
export interface MenuAction {
  label: string;
  /** The key that does the same, as it is written on it. */
  key?: string;
  icon?: Component<{ size?: number }>;
  isDisabled?: boolean;
  onChoose: () => void;
}

/** Where a menu opens: at an element, or at a point of the window. */
export type MenuAnchor = HTMLElement | { x: number; y: number };
