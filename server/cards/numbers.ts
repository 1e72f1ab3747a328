import { randomInt } from 'node:crypto'
import type { CardRecord } from '#server/cards/card.ts'
import type { Deps } from '#server/platform/deps.ts'
import { type Secret, firstSecret, keyedDigest, keyedDigests } from '#server/platform/secrets/derived-key.ts'
import { seal, unseal } from '#server/platform/secrets/sealed.ts'

/**
 * The first digits of the bank's card numbers. No card scheme uses these digits (ISO/IEC 7812: a first digit 9 is for national
 * use). The numbers can therefore never be numbers of real cards.
 */
const RANGE = '9999'
const NUMBER = /^\d{16}$/

const KIND = 'card number'
export const cardNumberSealName = (cardId: string) => ({ kind: KIND, owner: cardId })

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

/** Returns a random number in the bank's range that ends with `lastFour`. One digit is computed to make the number valid. */
export function newNumber(lastFour = randomDigits(4)): string {
  const [before, after] = [RANGE + randomDigits(7), lastFour]
  const check = Array.from({ length: 10 }, (_, digit) => `${before}${digit}${after}`).find(isLuhnValid)
  if (check === undefined) throw new Error('A card number ends in four digits')
  return check
}

/** Returns the digest by which a card is found by its number. */
export function numberDigest({ config }: { config: Secret }, number: string): string {
  return keyedDigest(config, 'card number digest', number).toString('base64url')
}

/**
 * Returns all digests by which a card with this number may be found. Older cards have a digest with an earlier secret (npm run
 * rotate).
 */
export function numberDigests({ config }: Pick<Deps, 'config'>, number: string): string[] {
  return keyedDigests(config, 'card number digest', number).map((digest) => digest.toString('base64url'))
}

/** Returns the columns that store a number. */
export function sealedNumber(deps: Pick<Deps, 'config'>, cardId: string, number: string) {
  return {
    number_sealed: seal(deps.config, cardNumberSealName(cardId), Buffer.from(number)),
    number_digest: numberDigest(deps, number),
  }
}

/** Returns a card's number. A card from an older version gets a number now, with its existing last digits. */
export async function readCardNumber(
  deps: Pick<Deps, 'db' | 'config'>,
  card: Pick<CardRecord, 'id' | 'lastFour'>,
): Promise<string> {
  for (;;) {
    const { number_sealed: sealed } = await deps.db
      .selectFrom('bank.card')
      .select('number_sealed')
      .where('id', '=', card.id)
      .executeTakeFirstOrThrow()
    if (sealed) return unseal(deps.config, cardNumberSealName(card.id), sealed).toString()
    const numberColumns = sealedNumber(deps, card.id, newNumber(card.lastFour))
    // The first of several concurrent requests sets the number, and the others read it. If another card has the number, another
    // random number is tried.
    await deps.db
      .updateTable('bank.card')
      .set(numberColumns)
      .where('id', '=', card.id)
      .where('number_sealed', 'is', null)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('bank.card as other').select('id').where('number_digest', '=', numberColumns.number_digest),
          ),
        ),
      )
      .execute()
  }
}

/**
 * Returns the three digits that prove possession of a card. They are derived from the card and the bank's first secret and
 * never stored.
 */
export function cvvOf(
  { config }: Pick<Deps, 'config'>,
  card: Pick<CardRecord, 'expiresOn'> & { number: string },
): string {
  const digest = keyedDigest(firstSecret(config), 'card cvv', `${card.number}\n${card.expiresOn}`)
  return String(digest.readUInt32BE() % 1000).padStart(3, '0')
}
