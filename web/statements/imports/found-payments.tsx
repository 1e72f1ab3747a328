import { Plural, Trans } from '@lingui/react/macro'
import { isSpendingCategory } from '#contract/categories.ts'
import type { ImportedPayment, ImportPreview } from '#contract/statements.ts'
import { useBusinessDay } from '#web/accounts/queries.ts'
import { CategoryIcon } from '#web/accounts/shared/category-icon.tsx'
import { MerchantMark } from '#web/accounts/shared/merchant-mark.tsx'
import { shortDay } from '#web/i18n/dates.ts'
import { categoryText } from '#web/i18n/words.ts'
import { SkippedLines } from '#web/statements/imports/skipped-lines.tsx'
import { dayRange } from '#web/statements/imports/words.ts'
import { InlineFacts } from '#web/ui/inline-facts.tsx'
import { Money } from '#web/ui/money.tsx'

/** Shows the payments in a file: their number, their totals, the first few, and the skipped lines. */
export function FoundPayments({ preview }: { preview: ImportPreview }) {
  const { mapping, format, count, duplicates, firstOn, lastOn, payments } = preview
  const today = useBusinessDay()
  const days = dayRange(firstOn, lastOn, today)
  return (
    <div aria-live="polite">
      {count === 0 ? (
        <p className="text-pretty">
          {format === 'csv' && !mapping ? (
            <Trans>We couldn't tell which column is which. Please choose them below.</Trans>
          ) : (
            <Trans>We couldn't find any payments to import.</Trans>
          )}
        </p>
      ) : (
        <>
          <p className="font-medium">
            <InlineFacts
              facts={[
                { key: 'count', fact: <Plural value={count} one="# payment" other="# payments" /> },
                ...(days === null ? [] : [{ key: 'days', fact: days }]),
              ]}
            />
          </p>
          <Sums preview={preview} />
        </>
      )}
      {duplicates > 0 && (
        <p className="mt-1 text-sm text-ink-soft">
          <Trans>You already have {duplicates} of them.</Trans>
        </p>
      )}
      {count > 0 && (
        <ul className="mt-3 divide-y divide-line rounded-card border border-line">
          {payments.map((payment, index) => (
            // The rows never change their order, and two can be identical, so the index is the key.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={index}>
              <PaymentRow payment={payment} today={today} />
            </li>
          ))}
        </ul>
      )}
      <SkippedLines skipped={preview.skipped} leftOut={preview.leftOut} />
    </div>
  )
}

/** Shows the totals of the payments. A wrong sign is easiest to notice there. */
function Sums({ preview: { inMinor, outMinor, asset } }: { preview: ImportPreview }) {
  const sums = [
    { key: 'in', label: <Trans>Money in</Trans>, amountMinor: inMinor, look: 'text-success' },
    { key: 'out', label: <Trans>Money out</Trans>, amountMinor: -outMinor, look: '' },
  ]
  return (
    <dl className="mt-2 grid grid-cols-[repeat(auto-fit,minmax(8rem,1fr))] gap-2">
      {sums.map(({ key, label, amountMinor, look }) => (
        <div key={key} className="rounded-control bg-muted px-3 py-2">
          <dt className="text-sm text-ink-soft">{label}</dt>
          <dd className={`font-semibold break-words ${look}`}>
            <Money amountMinor={amountMinor} asset={asset} sign={amountMinor === 0 ? 'never' : 'always'} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function PaymentRow({ payment, today }: { payment: ImportedPayment; today: string | null }) {
  const { name, category, bookedOn, amountMinor, asset } = payment
  return (
    <div className="flex min-h-16 flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2.5">
      {isSpendingCategory(category) ? (
        <MerchantMark name={name} />
      ) : (
        <CategoryIcon category={category} incoming={amountMinor > 0} />
      )}
      <div className="min-w-0 flex-1 basis-28">
        <div className="font-medium break-words">
          <bdi>{name}</bdi>
        </div>
        <div className="text-sm text-ink-soft">
          <InlineFacts
            facts={[
              { key: 'category', fact: categoryText(category) },
              { key: 'day', fact: shortDay(bookedOn, today) },
            ]}
          />
        </div>
      </div>
      <Money
        amountMinor={amountMinor}
        asset={asset}
        sign="always"
        className={amountMinor > 0 ? 'ms-auto font-semibold text-success' : 'ms-auto font-semibold'}
      />
    </div>
  )
}
