import { Trans, useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { CalendarClock, type LucideIcon, Percent, ShieldAlert, TrendingDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { RISK_NOTICE_VERSION } from '#contract/investment-terms.ts'
import { acceptRisk, investmentsQuery } from '#web/investing/queries.ts'
import { useSubmission } from '#web/lib/submission.ts'
import { Button } from '#web/ui/button.tsx'
import { focusOnMount } from '#web/ui/focus-on-mount.ts'

/**
 * Shows the risks of investing, which a customer accepts once per version. A change of the wording must increase the version.
 */
export function InvestingRiskNotice() {
  const { t } = useLingui()
  const queries = useQueryClient()
  const { submit, busy } = useSubmission({
    send: (version: number) => acceptRisk(version),
    loading: () => t`Saving…`,
    success: () => null,
  })
  async function accept(): Promise<void> {
    if ((await submit(RISK_NOTICE_VERSION)) === null) return
    queries.setQueryData(investmentsQuery.queryKey, (data) => data && { ...data, riskAccepted: true })
  }
  return (
    <section aria-label={t`The risks`} tabIndex={-1} ref={focusOnMount} className="flex flex-col gap-5 outline-none">
      <ul className="flex flex-col gap-4">
        <Risk icon={TrendingDown}>
          <Trans>You can lose money. What you buy can fall in value, and you may get back less than you put in.</Trans>
        </Risk>
        <Risk icon={Percent}>
          <Trans>Nothing is guaranteed. Past or expected returns don't tell you what you'll earn.</Trans>
        </Risk>
        <Risk icon={CalendarClock}>
          <Trans>You buy and sell at the next price, which isn't known yet when you place an order.</Trans>
        </Risk>
        <Risk icon={ShieldAlert}>
          <Trans>Investments are not deposits: deposit insurance doesn't cover losses.</Trans>
        </Risk>
      </ul>
      <Button busy={busy} onClick={() => void accept()}>
        <Trans>I Understand the Risks</Trans>
      </Button>
    </section>
  )
}

function Risk({ icon: Icon, children }: { icon: LucideIcon; children: ReactNode }) {
  return (
    <li className="flex gap-3">
      <span
        aria-hidden
        className="grid size-9 shrink-0 place-items-center rounded-full bg-warning-subtle text-warning max-[20rem]:hidden"
      >
        <Icon className="size-4.5" strokeWidth={2} />
      </span>
      <p className="min-w-0 text-pretty">{children}</p>
    </li>
  )
}
