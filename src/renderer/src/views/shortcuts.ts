/** A key, or keys pressed together, and what they do. */
export interface Shortcut {
  /** Each inner list is pressed together; several lists do the same. */
  keys: readonly (readonly string[])[];
  does: string;
}

/** Keys of one place of the window. */
export interface ShortcutGroup {
  title: string;
  shortcuts: readonly Shortcut[];
}

/** All keys of the window, by where they work. `Ctrl` is Command on macOS. */
export const shortcutGroups: readonly ShortcutGroup[] = [
  {
    title: 'Everywhere',
    shortcuts: [
      { keys: [['?']], does: 'Show this overview' },
      { keys: [['Ctrl', 'Enter']], does: 'Search' },
      { keys: [['Ctrl', 'K']], does: 'Find in the library' },
      { keys: [['Tab'], ['Shift', 'Tab']], does: 'Next, previous' },
      { keys: [['Esc']], does: 'Close what is open' },
    ],
  },
  {
    title: 'In the results',
    shortcuts: [
      { keys: [['↓'], ['↑'], ['J'], ['K']], does: 'Next, previous' },
      { keys: [['Page Down'], ['Page Up']], does: 'Page down, page up' },
      { keys: [['Home'], ['End']], does: 'First, last' },
      { keys: [['Enter']], does: 'Open the item' },
      { keys: [['Space'], ['X']], does: 'Pick or unpick the item' },
      {
        keys: [
          ['Shift', '↓'],
          ['Shift', '↑'],
        ],
        does: 'Extend what is picked',
      },
      { keys: [['Ctrl', 'A']], does: 'Pick all that are shown' },
      { keys: [['Esc']], does: 'Unpick all' },
    ],
  },
  {
    title: 'In an opened item',
    shortcuts: [
      { keys: [['J'], ['→']], does: 'Next item' },
      { keys: [['K'], ['←']], does: 'Previous item' },
      { keys: [['X']], does: 'Pick or unpick it' },
      { keys: [['Esc']], does: 'Back to the results' },
    ],
  },
  {
    title: 'In the downloads',
    shortcuts: [
      { keys: [['↓'], ['↑'], ['J'], ['K']], does: 'Next, previous' },
      { keys: [['Page Down'], ['Page Up']], does: 'Page down, page up' },
      { keys: [['Home'], ['End']], does: 'First, last' },
      { keys: [['←'], ['→']], does: 'Fold or unfold an order' },
      { keys: [['Enter']], does: 'Details of a file, report of an order' },
      { keys: [['P']], does: 'Pause or resume' },
      { keys: [['R']], does: 'Try again' },
      { keys: [['V']], does: 'Verify again' },
      { keys: [['C']], does: 'Copy the path' },
      { keys: [['Del']], does: 'Cancel, or take off the list' },
      { keys: [['Ctrl', 'Z']], does: 'Have back what was cancelled last' },
      {
        keys: [
          ['Alt', '↑'],
          ['Alt', '↓'],
        ],
        does: 'Sooner, later in the queue',
      },
      {
        keys: [
          ['Alt', 'Home'],
          ['Alt', 'End'],
        ],
        does: 'To the top, to the bottom of the queue',
      },
      { keys: [['Space'], ['X']], does: 'Pick or unpick' },
      {
        keys: [
          ['Shift', '↓'],
          ['Shift', '↑'],
        ],
        does: 'Extend what is picked',
      },
      { keys: [['Ctrl', 'A']], does: 'Pick all that are shown' },
      { keys: [['Esc']], does: 'Unpick all, then close the details' },
    ],
  },
  {
    title: 'On the map',
    shortcuts: [
      { keys: [['←'], ['→'], ['↑'], ['↓']], does: 'Move' },
      { keys: [['+'], ['−']], does: 'Zoom in, zoom out' },
      { keys: [['Enter']], does: 'Finish drawing' },
      { keys: [['Esc']], does: 'Stop drawing' },
    ],
  },
  {
    title: 'With the mouse, in the results',
    shortcuts: [
      { keys: [['Ctrl', 'click']], does: 'Pick one more' },
      { keys: [['Shift', 'click']], does: 'Pick all up to here' },
    ],
  },
];
