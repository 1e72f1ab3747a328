import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { ImportPreview, LeftOutLine } from '#contract/statements.ts'

/** Returns a function that writes in words why a line is not imported. */
function useReason() {
  const { t } = useLingui()
  return ({ reason, currency: foreignCurrency }: LeftOutLine): string => {
    const currency = foreignCurrency ?? ''
    const reasons = {
      date: t`No date we can read`,
      future: t`After today`,
      too_old: t`Before 1990`,
      amount: t`No amount we can read`,
      amount_unsure: t`The amount can be read in two ways`,
      zero: t`The amount is zero`,
      currency: t`In ${currency}, not in US dollars`,
      direction: t`Unclear whether money came in or went out`,
      pending: t`Not posted yet`,
      reverted: t`Declined or reversed`,
      state: t`A status we don't recognize`,
      balance: t`A balance or a total`,
    }
    return reasons[reason]
  }
}

/** Lists the lines of a file that are not imported, each with its reason. */
export function SkippedLines({ skipped, leftOut }: Pick<ImportPreview, 'skipped' | 'leftOut'>) {
  const reasonOf = useReason()
  if (skipped === 0) return null
  const more = skipped - leftOut.length
  return (
    <details className="text-sm">
      <summary className="min-h-11 cursor-pointer py-3 font-medium">
        <Plural value={skipped} one="# line will be skipped" other="# lines will be skipped" />
      </summary>
      <ul className="divide-y divide-line rounded-card border border-line">
        {leftOut.map((line) => (
          <li key={line.line} className="px-3 py-2.5">
            <div className="break-words text-ink-soft">
              <span className="tabular">{line.line}</span> <bdi>{line.text}</bdi>
            </div>
            <div className="font-medium">{reasonOf(line)}</div>
          </li>
        ))}
      </ul>
      {more > 0 && (
        <p className="mt-2 text-ink-soft">
          <Trans>and {more} more</Trans>
        </p>
      )}
    </details>
  )
}
