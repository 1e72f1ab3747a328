import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import type { RecurringPayments } from '#contract/analytics.ts'
import { MerchantMark } from '#web/accounts/shared/merchant-mark.tsx'
import { shortDay } from '#web/i18n/dates.ts'
import { money } from '#web/i18n/formats.ts'
import { recurringQuery } from '#web/insights/queries.ts'
import { intervalText } from '#web/insights/shared/interval.ts'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Money } from '#web/ui/money.tsx'
import { Row } from '#web/ui/row.tsx'
import { Card, Section } from '#web/ui/screen.tsx'
import { RowSkeletons } from '#web/ui/skeleton.tsx'

/** The input events by which a person moves the page. */
const LOOKING_ELSEWHERE = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const

/** Scrolls to an element, and again when content above it loads, until the person moves the page. */
function keepInView(element: HTMLElement): () => void {
  const observer = new ResizeObserver(() => element.scrollIntoView())
  for (const container of [document.body, element.parentElement]) if (container) observer.observe(container)
  const stopController = new AbortController()
  const stop = (): void => {
    observer.disconnect()
    stopController.abort()
  }
  const listenerOptions = { passive: true, signal: stopController.signal }
  for (const kind of LOOKING_ELSEWHERE) window.addEventListener(kind, stop, listenerOptions)
  return stop
}

/** Lists the recurring payments that the bank has detected. */
export function RecurringSection() {
  const { t } = useLingui()
  const { data, error, refetch } = useQuery(recurringQuery)
  const section = useRef<HTMLDivElement>(null)
  const { hash } = useLocation()
  useEffect(() => {
    // The details of a payment link to this section.
    const target = section.current
    return hash === '#recurring' && target ? keepInView(target) : undefined
  }, [hash])
  return (
    <div ref={section} className="scroll-mt-20">
      <Section title={t`Recurring Payments`}>
        {error && !data ? (
          <LoadFailure error={error} refetch={refetch} />
        ) : (
          <Card>
            {data?.payments.length === 0 && (
              <p className="p-4 text-[0.9375rem] text-pretty text-ink-soft">
                <Trans>No recurring payments yet.</Trans>
              </p>
            )}
            {data ? (
              <ul className="divide-y divide-line">
                {data.payments.map((payment) => (
                  <li key={`${payment.payee}${payment.nextOn}${payment.amountMinor}`}>
                    <Payment payment={payment} />
                  </li>
                ))}
              </ul>
            ) : (
              <RowSkeletons count={2} />
            )}
          </Card>
        )}
      </Section>
    </div>
  )
}

function Payment({ payment }: { payment: RecurringPayments['payments'][number] }) {
  const { payee, amountMinor, interval, nextOn, previousAmountMinor } = payment
  const every = intervalText(interval)
  const day = shortDay(nextOn, null)
  const before = money(previousAmountMinor ?? 0, 'USD')
  return (
    <Row
      picture={<MerchantMark name={payee} />}
      title={
        <span className="flex flex-wrap justify-between gap-x-3">
          <span className="min-w-0 wrap-anywhere">{payee}</span>
          <Money amountMinor={amountMinor} asset="USD" className="ms-auto font-semibold" />
        </span>
      }
      description={
        <>
          <Trans comment="Example: Monthly, next on Sep 5">
            {every}, next on {day}
          </Trans>
          {previousAmountMinor !== null && previousAmountMinor < amountMinor && (
            <span className="block text-danger">
              <Trans comment="A price has risen. {before} is the old price">Was {before}</Trans>
            </span>
          )}
        </>
      }
    />
  )
}
