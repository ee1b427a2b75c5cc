import { parseAbi } from 'viem';

/** Views of a Safe 1.4.1. */
export const SAFE_VIEWS = parseAbi([
  'function getOwners() view returns (address[])',
  'function getThreshold() view returns (uint256)',
  'function getModulesPaginated(address start, uint256 pageSize) view returns (address[] modules, address next)',
  'function nonce() view returns (uint256)',
]);

/** Views of a Delay module 1.0.1. */
export const DELAY_VIEWS = parseAbi([
  'function owner() view returns (address)',
  'function avatar() view returns (address)',
  'function target() view returns (address)',
  'function guard() view returns (address)',
  'function txCooldown() view returns (uint256)',
  'function txExpiration() view returns (uint256)',
  'function txNonce() view returns (uint256)',
  'function queueNonce() view returns (uint256)',
  'function getTxHash(uint256 nonce) view returns (bytes32)',
  'function getTxCreatedAt(uint256 nonce) view returns (uint256)',
  'function getModulesPaginated(address start, uint256 pageSize) view returns (address[] modules, address next)',
]);
