/** Lines to be copied into another program. */
export interface ShareLines {
  id: 'curl' | 'python' | 'qgis' | 'gdal';
  label: string;
  /** Where they go. */
  hint: string;
  text: string;
}

/** What stands for the token where it isn't shown. */
export const hiddenToken = '••••••••';

/** Ready-made lines for the programs that people read a catalog with. A null token is not asked for. */
export function writeShareLines(baseUrl: string, token: string | null): ShareLines[] {
  const bearer = `Authorization: Bearer ${token ?? ''}`;
  return [
    {
      id: 'curl',
      label: 'curl',
      hint: 'In a terminal: the newest items.',
      text:
        token === null
          ? `curl '${baseUrl}/search?limit=10'`
          : `curl -H '${bearer}' '${baseUrl}/search?limit=10'`,
    },
    {
      id: 'python',
      label: 'Python',
      hint: 'With pystac-client. The first lines let rasterio and GDAL open the downloaded files as well.',
      text: [
        ...(token === null ? [] : ['import os', `os.environ["GDAL_HTTP_HEADERS"] = "${bearer}"`, '']),
        'from pystac_client import Client',
        '',
        token === null
          ? `client = Client.open("${baseUrl}")`
          : `client = Client.open("${baseUrl}", headers={"Authorization": "Bearer ${token}"})`,
        'for item in client.search(max_items=10).items():',
        '    print(item.id, [asset.href for asset in item.assets.values()])',
      ].join('\n'),
    },
    {
      id: 'qgis',
      label: 'QGIS',
      hint:
        token === null
          ? 'From 3.42: Data Source Manager, STAC, New connection. Older ones: WFS / OGC API - Features.'
          : 'From 3.42: Data Source Manager, STAC, New connection. Under Authentication, add a configuration of the kind API Header with this header. Older ones: WFS / OGC API - Features; Basic, any user name, the token as password.',
      text: [
        `URL: ${baseUrl}`,
        ...(token === null ? [] : ['Header key: Authorization', `Header value: Bearer ${token}`]),
      ].join('\n'),
    },
    {
      id: 'gdal',
      label: 'GDAL',
      hint: 'In a terminal: what is known of a downloaded file; its address stands in the item.',
      text:
        token === null
          ? "gdalinfo '/vsicurl/ADDRESS'"
          : `gdalinfo --config GDAL_HTTP_HEADERS '${bearer}' '/vsicurl/ADDRESS'`,
    },
  ];
}
