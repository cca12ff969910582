import type { AlertSettings } from '../../../common/settings/model.ts';

/** A user as the matcher knows them. */
export interface AlertUser {
  /** Hexadecimal. */
  id: string;
  alerts: AlertSettings;
  /** When the alert settings were last changed, or the user came to be, epoch ms: only tokens detected later count. */
  since: number;
  /** When price alerts were last switched on, epoch ms: they count from then. 0: they always were. */
  priceSince: number;
}

/** Everybody who may get alerts, each with a small whole number that stays theirs: sets of users are sets of numbers. */
export class AlertUsers {
  readonly #users: AlertUser[] = [];
  readonly #numbers = new Map<string, number>();

  get count(): number {
    return this.#users.length;
  }

  numberOf(id: string): number | undefined {
    return this.#numbers.get(id);
  }

  at(number: number): AlertUser | undefined {
    return this.#users[number];
  }

  ids(numbers: readonly number[]): string[] {
    return numbers.flatMap((number) => this.#users[number]?.id ?? []);
  }

  /** Adds the user, or takes up what changed. Gives the user's number. */
  put(user: AlertUser): number {
    const known = this.#numbers.get(user.id);
    const number = known ?? this.#users.length;
    this.#users[number] = user;
    if (known === undefined) this.#numbers.set(user.id, number);
    return number;
  }
}

export function sameAlerts(one: AlertSettings, other: AlertSettings): boolean {
  return (
    one.minLiquidity === other.minLiquidity &&
    one.maxRisk === other.maxRisk &&
    one.newTokenAlerts === other.newTokenAlerts &&
    one.priceChangeAlerts === other.priceChangeAlerts
  );
}
