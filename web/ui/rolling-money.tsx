import { type CSSProperties, Fragment, useEffect, useState } from 'react'
import { moneyParts } from '#web/i18n/formats.ts'
import { cx } from '#web/ui/cx.ts'
import { Money, type MoneyProps } from '#web/ui/money.tsx'

/** The duration of the animation in styles.css, including its delay, and a margin. */
const ROLL_MS = 1100

type RollingMoneyProps = MoneyProps & {
  before: number
  /** True if the text around the amount already announces the new amount. */
  saidAround?: boolean
}

/** An amount whose digits roll from those of `before` after a change. Screen readers read the new amount once. */
export function RollingMoney({ before, saidAround = false, ...amount }: RollingMoneyProps) {
  const [rolledAmount, setRolled] = useState(before)
  const { amountMinor, asset, sign = 'negative' } = amount
  const isRolling = rolledAmount !== amountMinor
  useEffect(() => {
    if (!isRolling) return undefined
    const timer = setTimeout(() => setRolled(amountMinor), ROLL_MS)
    return () => clearTimeout(timer)
  }, [isRolling, amountMinor])
  return (
    <>
      <span {...(!saidAround && { 'aria-live': 'polite' })} className="sr-only">
        <Money amountMinor={amountMinor} asset={asset} sign={sign} />
      </span>
      <span aria-hidden className={amount.className}>
        {isRolling ? <Reels {...amount} before={rolledAmount} /> : <Money {...amount} className={undefined} />}
      </span>
    </>
  )
}

/** Returns the characters of an amount, with the smaller decimals marked. */
function charactersOf({ amountMinor, asset, sign = 'negative', smallDecimals = false }: MoneyProps) {
  return moneyParts(amountMinor, asset, { sign }).flatMap(({ type, value }) =>
    Array.from(value, (text) => ({ text, small: smallDecimals && (type === 'decimal' || type === 'fraction') })),
  )
}

const isDigit = (text: string | undefined): text is string => text !== undefined && /^\d$/.test(text)

function Reels({ before, ...amount }: MoneyProps & { before: number }) {
  const newCharacters = charactersOf(amount)
  const oldCharacters = charactersOf({ ...amount, amountMinor: before })
  const isRise = amount.amountMinor > before
  return (
    <span className="tabular whitespace-nowrap">
      {newCharacters.map(({ text, small }, index) => {
        // Counted from the end, so that digits of the same place value match.
        const place = newCharacters.length - index
        const oldText = oldCharacters[oldCharacters.length - place]?.text
        const character = isDigit(text) ? <Reel from={isDigit(oldText) ? oldText : '0'} to={text} up={isRise} /> : text
        return small ? (
          <span key={place} className="text-[0.62em] opacity-75">
            {character}
          </span>
        ) : (
          <Fragment key={place}>{character}</Fragment>
        )
      })}
    </span>
  )
}

/** A digit of the animation. The digits between the old and the new one roll past. */
function Reel({ from, to, up }: { from: string; to: string; up: boolean }) {
  const passedFigures: number[] = []
  for (let figure = Number(from); figure !== Number(to); figure = (figure + (up ? 1 : 9)) % 10)
    passedFigures.push(figure)
  if (passedFigures.length === 0) return to
  return (
    <span className="reel" style={{ '--passed': up ? passedFigures.length : -passedFigures.length } as CSSProperties}>
      <span className="reel-strip">
        <span className={cx('absolute inset-x-0 flex', up ? 'bottom-full flex-col' : 'top-full flex-col-reverse')}>
          {passedFigures.map((figure) => (
            <span key={figure}>{figure}</span>
          ))}
        </span>
        {to}
      </span>
    </span>
  )
}
