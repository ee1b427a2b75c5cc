// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @title Collects what cards have spent from accounts, and returns what was refunded.
/// @notice Not audited yet. An account allows a treasury to collect a token (EIP-20) up to a limit per day, and approves this contract for the token. Whoever calls,
/// tokens move between the account and that treasury only. The contract belongs to nobody: it reads no signature, delegates to no code, and cannot be changed.
contract Collector {
    /// @param limit most that is collected in a day (UTC); zero: nothing
    /// @param spent collected on `day`
    /// @param nonce number of the next movement: each happens once
    struct Allowance {
        uint96 limit;
        uint96 spent;
        uint32 day;
        uint32 nonce;
    }

    /// @param back true: from the treasury to the account
    struct Movement {
        address account;
        address token;
        uint96 amount;
        uint32 nonce;
        bool back;
    }

    mapping(address account => mapping(address treasury => mapping(address token => Allowance))) public allowances;
    /// @notice What was collected, less what was returned: at most this is returned.
    mapping(address account => mapping(address treasury => mapping(address token => uint256))) public collected;
    mapping(address treasury => mapping(address operator => bool)) public isOperator;

    /// A movement gets this much gas, so that a token or an account that burns it stops no other movement.
    uint256 private constant GAS_PER_MOVEMENT = 200_000;

    event LimitSet(address indexed account, address indexed treasury, address indexed token, uint96 limit);
    event OperatorSet(address indexed treasury, address indexed operator, bool enabled);
    event Moved(address indexed account, address indexed treasury, address indexed token, uint96 amount, uint32 nonce, bool back);
    event Failed(address indexed account, address indexed treasury, address indexed token, uint96 amount, uint32 nonce, bool back);

    error NotPermitted();
    error WrongNonce();
    error LimitExceeded();
    error NotCollected();
    error TransferFailed();
    error TooLittleGas();

    /// @notice Lets a treasury collect the caller's tokens up to a limit per day.
    function setLimit(address treasury, address token, uint96 limit) external {
        allowances[msg.sender][treasury][token].limit = limit;
        emit LimitSet(msg.sender, treasury, token, limit);
    }

    /// @notice Lets an operator move tokens between the caller, a treasury, and the accounts that allow it.
    function setOperator(address operator, bool enabled) external {
        _setOperator(msg.sender, operator, enabled);
    }

    /// @notice Ends the caller's right: whoever has the key of an operator can stop its thief.
    function resign(address treasury) external {
        _setOperator(treasury, msg.sender, false);
    }

    /// @notice Makes each movement that can be made. One that cannot changes nothing, and is reported by an event.
    function move(address treasury, Movement[] calldata movements) external {
        if (!isOperator[treasury][msg.sender]) revert NotPermitted();
        for (uint256 i = 0; i < movements.length; ++i) {
            // A call gets at most 63/64 of the gas that is left (EIP-150).
            if (gasleft() < GAS_PER_MOVEMENT + GAS_PER_MOVEMENT / 16) revert TooLittleGas();
            Movement calldata one = movements[i];
            try this.moveOne{gas: GAS_PER_MOVEMENT}(treasury, one) {
                emit Moved(one.account, treasury, one.token, one.amount, one.nonce, one.back);
            } catch {
                emit Failed(one.account, treasury, one.token, one.amount, one.nonce, one.back);
            }
        }
    }

    /// @notice Part of `move`, which alone may call it: a call of its own, so that what fails is undone.
    function moveOne(address treasury, Movement calldata movement) external {
        if (msg.sender != address(this)) revert NotPermitted();
        (address account, address token, uint96 amount) = (movement.account, movement.token, movement.amount);
        Allowance memory allowance = allowances[account][treasury][token];
        if (movement.nonce != allowance.nonce) revert WrongNonce();
        allowance.nonce += 1;
        uint256 sum = collected[account][treasury][token];
        if (movement.back) {
            if (amount > sum) revert NotCollected();
            collected[account][treasury][token] = sum - amount;
        } else {
            uint32 today = uint32(block.timestamp / 1 days);
            if (allowance.day != today) (allowance.day, allowance.spent) = (today, 0);
            if (amount > allowance.limit || allowance.spent > allowance.limit - amount) revert LimitExceeded();
            allowance.spent += amount;
            collected[account][treasury][token] = sum + amount;
        }
        allowances[account][treasury][token] = allowance;
        (address from, address to) = movement.back ? (treasury, account) : (account, treasury);
        (bool success, bytes memory result) =
            token.call(abi.encodeWithSignature("transferFrom(address,address,uint256)", from, to, uint256(amount)));
        // Tokens revert, return false, or, old ones, return nothing.
        if (!success || token.code.length == 0 || (result.length > 0 && !abi.decode(result, (bool)))) revert TransferFailed();
    }

    function _setOperator(address treasury, address operator, bool enabled) private {
        isOperator[treasury][operator] = enabled;
        emit OperatorSet(treasury, operator, enabled);
    }
}
