/** The one door to Leaflet, so that there is one copy of it and one place to change when its next version comes. */
import 'leaflet/dist/leaflet.css';
export { default as leaflet } from 'leaflet';
