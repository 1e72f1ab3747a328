import { Trans } from '@lingui/react/macro'
import { CirclePause } from 'lucide-react'
import { COIN_NAMES } from '#contract/crypto-terms.ts'
import type { Holding } from '#contract/crypto.ts'
import { listText } from '#web/crypto/shared/words.ts'
import { dateAndTime } from '#web/i18n/dates.ts'
import { betweenSentences } from '#web/i18n/formats.ts'

export const isPaused = ({ market }: Pick<Holding, 'market'>): boolean => market !== 'open'

/** States which coins cannot be traded at present, and that they are safe. */
export function PausedCoins({ holdings }: { holdings: readonly Holding[] }) {
  const pausedHoldings = holdings.filter(isPaused)
  const [first] = pausedHoldings
  if (!first) return null
  const names = listText(pausedHoldings.map(({ asset }) => COIN_NAMES[asset]))
  const since = pausedHoldings.map(({ pricedAt }) => pricedAt ?? '').toSorted()[0]
  const moment = since ? dateAndTime(since) : null
  return (
    <div
      role="status"
      className="flex gap-3 rounded-card border border-line bg-surface px-4 py-3.5 text-sm text-pretty"
    >
      <CirclePause aria-hidden className="mt-px size-5 shrink-0 text-ink-soft" strokeWidth={1.9} />
      <div className="min-w-0">
        <p className="font-semibold">
          <Trans comment="{names} is a list of coins: Bitcoin and Litecoin">Trading in {names} is paused</Trans>
        </p>
        <p className="mt-0.5 text-ink-soft">
          <Trans>
            We can't get a reliable price right now. Your coins are safe, and you can trade again as soon as we have
            one.
          </Trans>
          {betweenSentences()}
          {moment && <Trans comment="{moment} is a date with a time">Prices are as of {moment}.</Trans>}
        </p>
      </div>
    </div>
  )
}
