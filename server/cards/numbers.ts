import { randomInt } from 'node:crypto'
import type { Card } from '#server/cards/card.ts'
import type { Deps } from '#server/platform/deps.ts'
import { type Secret, firstSecret, keyedDigest, keyedDigests } from '#server/platform/secrets/derived-key.ts'
import { seal, unseal } from '#server/platform/secrets/sealed.ts'

/** Numbers that begin like this belong to no card scheme (ISO/IEC 7812: 9 is for national use), so none is a real card's. */
const RANGE = '9999'
const NUMBER = /^\d{16}$/

const KIND = 'card number'
export const sealName = (cardId: string) => ({ kind: KIND, owner: cardId })

/** Whether a number's last digit is the check digit of the others (ISO/IEC 7812-1, annex B: the Luhn formula). */
export function isLuhnValid(number: string): boolean {
  const sum = number
    .split('')
    .toReversed()
    .reduce((total, digit, place) => {
      const doubled = Number(digit) * (place % 2 === 0 ? 1 : 2)
      return total + (doubled > 9 ? doubled - 9 : doubled)
    }, 0)
  return NUMBER.test(number) && sum % 10 === 0
}

const randomDigits = (count: number): string => String(randomInt(10 ** count)).padStart(count, '0')

/** A number of the bank's own range with these last digits, which customers read; by chance but for the one that makes it valid. */
export function newNumber(lastFour = randomDigits(4)): string {
  const [before, after] = [RANGE + randomDigits(7), lastFour]
  const check = Array.from({ length: 10 }, (_, digit) => `${before}${digit}${after}`).find(isLuhnValid)
  if (check === undefined) throw new Error('A card number ends in four digits')
  return check
}

/** What finds a card by its number. */
export function numberDigest({ config }: { config: Secret }, number: string): string {
  return keyedDigest(config, 'card number digest', number).toString('base64url')
}

/** Every digest that a card with this number may be found by: of older ones it is under an earlier secret (npm run rotate). */
export function numberDigests({ config }: Pick<Deps, 'config'>, number: string): string[] {
  return keyedDigests(config, 'card number digest', number).map((digest) => digest.toString('base64url'))
}

/** What the database keeps of a number. */
export function sealedNumber(deps: Pick<Deps, 'config'>, cardId: string, number: string) {
  return {
    number_sealed: seal(deps.config, sealName(cardId), Buffer.from(number)),
    number_digest: numberDigest(deps, number),
  }
}

/** A card's number. Cards of older versions are given one now, with the last digits they are known by. */
export async function numberOf(
  deps: Pick<Deps, 'db' | 'config'>,
  card: Pick<Card, 'id' | 'lastFour'>,
): Promise<string> {
  for (;;) {
    const { number_sealed: sealed } = await deps.db
      .selectFrom('bank.card')
      .select('number_sealed')
      .where('id', '=', card.id)
      .executeTakeFirstOrThrow()
    if (sealed) return unseal(deps.config, sealName(card.id), sealed).toString()
    const given = sealedNumber(deps, card.id, newNumber(card.lastFour))
    // Whoever asks at the same moment finds the one that came first; of a number that another card has, the next is tried.
    await deps.db
      .updateTable('bank.card')
      .set(given)
      .where('id', '=', card.id)
      .where('number_sealed', 'is', null)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('bank.card as other').select('id').where('number_digest', '=', given.number_digest))),
      )
      .execute()
  }
}

/** The three digits that prove who pays has the card before them. They follow from the card and the bank's first secret, so nobody stores them. */
export function cvvOf({ config }: Pick<Deps, 'config'>, card: Pick<Card, 'expiresOn'> & { number: string }): string {
  const digest = keyedDigest(firstSecret(config), 'card cvv', `${card.number}\n${card.expiresOn}`)
  return String(digest.readUInt32BE() % 1000).padStart(3, '0')
}
