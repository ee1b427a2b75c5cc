import { expect, test } from 'vitest';
import { deviceName } from './device-name.ts';
import { shortAddress } from './short-address.ts';

test('names devices by browser and system', () => {
  expect(deviceName('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0')).toBe('Firefox, Linux');
  expect(deviceName('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 Version/18.0 Mobile Safari/604.1')).toBe(
    'Safari, iPhone',
  );
  expect(deviceName('node')).toBeUndefined();
  expect(deviceName(undefined)).toBeUndefined();
});

test('shows the ends of an address', () => {
  expect(shortAddress('0x52908400098527886E0F7030069857D2E4169EE7')).toBe('0x5290…9EE7');
});
