/** Files that `AppState.openFile` takes, as a file dialog wants them named. */
const accepted = '.geojson,.json,.ndjson,.geojsonl,.csv,.parquet,.geoparquet';

/** The system's dialog for one file of items; null when it was dismissed. */
export function chooseFile(): Promise<File | null> {
  return new Promise((resolve) => {
    const input = document.createElement('input');
    input.type = 'file';
    input.accept = accepted;
    input.onchange = () => resolve(input.files?.[0] ?? null);
    input.oncancel = () => resolve(null);
    input.click();
  });
}
