import { mixPair } from '../random.ts';
import { fractalNoise, noise, smoothstep } from './noise.ts';
import type { PlaceSample } from './place-grid.ts';

/** What covers dry land at a pixel; the caller owns and reuses it. */
export interface Cover {
  red: number;
  green: number;
  blue: number;
  /** Shares from 0 to 1. */
  forest: number;
  town: number;
  snow: number;
  /** A number of its own for each field, 0 to 1. */
  field: number;
  isFarmed: boolean;
}

type Colour = readonly [red: number, green: number, blue: number];

const snow: Colour = [236, 240, 246];

const growing: readonly Colour[] = [
  [92, 124, 54],
  [74, 106, 46],
  [112, 138, 66],
  [62, 92, 44],
  [98, 116, 62],
  [126, 142, 78],
];
const resting: readonly Colour[] = [
  [158, 140, 96],
  [142, 122, 88],
  [126, 104, 78],
  [172, 154, 108],
  [118, 108, 74],
  [150, 124, 92],
];
const [sand, redEarth, steppe, meadow] = [
  [198, 170, 126],
  [170, 106, 66],
  [158, 144, 100],
  [104, 116, 62],
] as const;
const [jungle, woods, taiga, tundra, rock] = [
  [34, 58, 30],
  [44, 64, 34],
  [38, 52, 36],
  [112, 106, 82],
  [128, 118, 106],
] as const;

/** Decides what grows on dry land, the same for a place at every visit but for season and snow. */
export class CoverPainter {
  readonly cover: Cover = {
    red: 0,
    green: 0,
    blue: 0,
    forest: 0,
    town: 0,
    snow: 0,
    field: 0,
    isFarmed: false,
  };
  readonly #mixed: [number, number, number] = [0, 0, 0];

  /** Fills `cover`. `height` as in Terrain. */
  paint(place: PlaceSample, height: number): Cover {
    const { cover } = this;
    const { xKm, yKm, lat, relief, summer } = place;
    const patches = fractalNoise(xKm / 13 + 3, yKm / 13 + 11, 5);
    const broad = noise(xKm / 47, yKm / 47);
    const moisture = place.moisture + (broad - 0.5) * 0.22;
    const warmth = place.temperature - Math.max(0, height - 0.22) * 29 * smoothstep(0.2, 0.6, relief);
    this.#setWild(place, moisture, patches);

    const isTropical = Math.abs(lat) < 24;
    const lush = isTropical
      ? smoothstep(0.35, 0.75, moisture)
      : 0.5 + 0.5 * summer * smoothstep(0.25, 0.6, moisture);
    const treeline = smoothstep(0.56, 0.42, height) * smoothstep(72, 66, Math.abs(lat));
    const wooded = 0.72 - 0.42 * smoothstep(0.35, 0.95, moisture) - 0.22 * smoothstep(0.12, 0.4, relief);
    const boreal = smoothstep(56, 62, Math.abs(lat)) * 0.16;
    cover.forest =
      smoothstep(wooded - boreal, wooded - boreal + 0.05, patches) *
      treeline *
      smoothstep(0.2, 0.36, moisture);

    const farmable =
      smoothstep(0.2, 0.34, moisture) *
      smoothstep(1.02, 0.84, moisture) *
      smoothstep(0.42, 0.22, relief) *
      smoothstep(63, 57, Math.abs(lat));
    cover.isFarmed =
      cover.forest < 0.5 && farmable > 0.22 + 1.1 * (fractalNoise(xKm / 24 + 50, yKm / 24, 4) - 0.3);
    cover.field = 0;
    if (cover.isFarmed) this.#setField(xKm, yKm, lush);

    const tree = Math.abs(lat) > 56 ? taiga : isTropical ? jungle : woods;
    const bare = isTropical || Math.abs(lat) > 56 ? 0 : Math.max(0, -summer) * 0.45;
    const grain = 0.82 + 0.36 * noise(xKm * 2.3, yKm * 2.3);
    const autumn = bare * grain * 30;
    this.#mix(tree[0] * grain + autumn * 2, tree[1] * grain + autumn, tree[2] * grain + autumn);
    this.#blend(this.#mixed, cover.forest);

    this.#blend(rock, smoothstep(0.46, 0.62, height) * smoothstep(0.3, 0.6, relief) * 0.85);
    const people = noise(xKm / 14 + 90, yKm / 14 + 13) * 0.7 + broad * 0.3;
    const streets = noise(xKm * 1.7, yKm * 1.7);
    cover.town = cover.isFarmed
      ? smoothstep(0.8, 0.86, people + (streets - 0.5) * 0.22) * smoothstep(0.1, 0.35, place.moisture)
      : 0;
    this.#mix(150 + streets * 30, 144 + streets * 30, 140 + streets * 28);
    this.#blend(this.#mixed, cover.town * 0.75);
    cover.snow = smoothstep(1.5, -6, warmth + (patches - 0.5) * 14) * (1 - 0.55 * cover.forest);
    this.#blend(snow, cover.snow);
    return cover;
  }

  #setWild({ lon, lat }: PlaceSample, moisture: number, patches: number): void {
    const isRed = smoothstep(112, 116, lon) * smoothstep(-14, -18, lat);
    const wet = smoothstep(0.12, 0.5, moisture + (patches - 0.5) * 0.3);
    const green = smoothstep(0.35, 0.75, moisture + (patches - 0.5) * 0.4);
    const cold = smoothstep(60, 67, Math.abs(lat));
    // Bare ground shows its rock and dry washes.
    const bare = smoothstep(0.4, 0.1, moisture);
    const wash = smoothstep(0.03, 0, Math.abs(patches - 0.52)) * 0.1;
    const shade = 0.86 + patches * 0.28 + bare * ((patches - 0.5) * 0.9 - wash);
    const { cover } = this;
    cover.red = mix(
      mix(mix(mix(sand[0], redEarth[0], isRed), steppe[0], wet), meadow[0], green),
      tundra[0],
      cold,
    );
    cover.green = mix(
      mix(mix(mix(sand[1], redEarth[1], isRed), steppe[1], wet), meadow[1], green),
      tundra[1],
      cold,
    );
    cover.blue = mix(
      mix(mix(mix(sand[2], redEarth[2], isRed), steppe[2], wet), meadow[2], green),
      tundra[2],
      cold,
    );
    cover.red *= shade;
    cover.green *= shade;
    cover.blue *= shade;
  }

  /** Parcels lie along directions that change from district to district; each has its crop, some are split. */
  #setField(xKm: number, yKm: number, lush: number): void {
    const bend = noise(xKm / 4, yKm / 4);
    const district = mixPair(Math.floor(xKm / 11 + bend), Math.floor(yKm / 9 - bend), 5);
    const angle = ((district & 255) / 255) * 1.5;
    const cos = Math.cos(angle);
    const sin = Math.sin(angle);
    const size = 1 + ((district >>> 8) & 3) * 0.35;
    const u = (xKm * cos - yKm * sin) / (size * 1.5);
    const v = (xKm * sin + yKm * cos) / size;
    let bits = mixPair(Math.floor(u), Math.floor(v), district);
    const parts = 1 + (bits & 3);
    if (parts > 1)
      bits = mixPair(bits, Math.floor(((bits & 4) === 0 ? u - Math.floor(u) : v - Math.floor(v)) * parts), 9);
    const { cover } = this;
    cover.field = (bits >>> 8) / 2 ** 24;
    // What grows changes with the year's season: a field's own number says whether it is green by now.
    const greenness = smoothstep(cover.field - 0.2, cover.field + 0.2, lush);
    const from = resting[bits % resting.length] ?? steppe;
    const to = growing[(bits >>> 4) % growing.length] ?? meadow;
    const shade = 0.9 + ((bits >>> 12) & 255) / 1275;
    cover.red = mix(from[0], to[0], greenness) * shade;
    cover.green = mix(from[1], to[1], greenness) * shade;
    cover.blue = mix(from[2], to[2], greenness) * shade;
  }

  /** Fills the one colour that is mixed anew for each pixel. */
  #mix(red: number, green: number, blue: number): void {
    this.#mixed[0] = red;
    this.#mixed[1] = green;
    this.#mixed[2] = blue;
  }

  #blend(colour: Colour, share: number): void {
    if (share <= 0) return;
    const { cover } = this;
    cover.red += (colour[0] - cover.red) * share;
    cover.green += (colour[1] - cover.green) * share;
    cover.blue += (colour[2] - cover.blue) * share;
  }
}

function mix(from: number, to: number, share: number): number {
  return from + (to - from) * share;
}
