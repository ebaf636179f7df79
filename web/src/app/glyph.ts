export { Glyph } from 'livejoin-angular';
