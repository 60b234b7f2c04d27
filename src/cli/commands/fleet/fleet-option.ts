import { Option } from '@commander-js/extra-typings';

export const fleetFileOption = () =>
  new Option('--fleet <file>', 'fleet.toml to use (default: the nearest one, from the current directory upwards)');
