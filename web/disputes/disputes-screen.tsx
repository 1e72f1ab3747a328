import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { ClipboardCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import type { DisputeToReview } from '#contract/disputes.ts'
import { Refusal } from '#contract/errors.ts'
import { decideDispute, disputeQueueQuery } from '#web/disputes/queries.ts'
import { disputeReasonText } from '#web/i18n/dispute-words.ts'
import { dateAndTime } from '#web/i18n/dates.ts'
import { money } from '#web/i18n/formats.ts'
import { type FormCheck, formErrors, useForm } from '#web/lib/form.ts'
import { paths } from '#web/lib/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { EmailText } from '#web/ui/email-text.tsx'
import { Money } from '#web/ui/money.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { QueryScreen } from '#web/ui/query-screen.tsx'
import { Card } from '#web/ui/screen.tsx'
import { RowSkeletons } from '#web/ui/skeleton.tsx'
import { TextArea } from '#web/ui/text-area.tsx'

/** Lists the disputes that wait for a reviewer. Other users see `notFound`. */
export function DisputesScreen({ notFound }: { notFound: ReactNode }) {
  const { t } = useLingui()
  const query = useQuery(disputeQueueQuery)
  const { data, error } = query
  if (!data && error instanceof Refusal && error.code === 'not_found') return notFound
  return (
    <QueryScreen query={query} title={t`Disputes`} back={paths.review} loading={t`Loading the disputes`}>
      {data ? (
        <Queue disputes={data.disputes} />
      ) : (
        <Card>
          <RowSkeletons count={4} />
        </Card>
      )}
    </QueryScreen>
  )
}

function Queue({ disputes }: { disputes: readonly DisputeToReview[] }) {
  const { t } = useLingui()
  const waiting = disputes.length
  if (waiting === 0) {
    return (
      <EmptyState icon={ClipboardCheck} title={t`Nothing to decide`}>
        <Trans>Every dispute has been decided. New ones will appear here.</Trans>
      </EmptyState>
    )
  }
  return (
    <>
      <p className="tabular px-1 text-sm font-medium text-ink-soft">
        <Plural value={waiting} one="# dispute waiting" other="# disputes waiting" />
      </p>
      <ul className="flex flex-col gap-4">
        {disputes.map((dispute) => (
          <li key={dispute.id}>
            <Card>
              <WaitingDispute dispute={dispute} />
            </Card>
          </li>
        ))}
      </ul>
    </>
  )
}

function WaitingDispute({ dispute }: { dispute: DisputeToReview }) {
  const paidTime = dateAndTime(dispute.paidAt)
  const refunded = money(dispute.refundedMinor, dispute.asset)
  return (
    <div className="flex flex-col gap-3 p-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <h2 dir="auto" className="min-w-0 font-semibold">
          {dispute.merchant}
        </h2>
        <Money amountMinor={dispute.amountMinor} asset={dispute.asset} className="font-semibold" />
      </div>
      <p className="text-sm text-ink-soft">
        <bdi>{dispute.customerName}</bdi>
        <br />
        <span dir="ltr">
          <EmailText email={dispute.customerEmail} />
        </span>
        <br />
        {paidTime}
      </p>
      <p className="font-medium">{disputeReasonText(dispute.reason)}</p>
      {dispute.description && (
        <p dir="auto" className="rounded-control bg-muted px-3.5 py-2.5 text-[0.9375rem] [overflow-wrap:anywhere]">
          {dispute.description}
        </p>
      )}
      {dispute.refundedMinor > 0 && (
        <p className="text-sm text-ink-soft">
          <Trans>The merchant has refunded {refunded} so far.</Trans>
        </p>
      )}
      {dispute.own ? (
        <p className="text-sm font-medium text-warning">
          <Trans>This dispute is your own, so someone else has to decide it.</Trans>
        </p>
      ) : (
        <Decide dispute={dispute} />
      )}
    </div>
  )
}

type Values = { decision: 'uphold' | 'reject'; answer: string }

/** Shows one form for both decisions. A rejection needs a reason for the customer. */
function Decide({ dispute }: { dispute: DisputeToReview }) {
  const { t } = useLingui()
  const { id, customerName } = dispute
  const check: FormCheck<Values> = ({ decision, answer }) =>
    formErrors(
      decision === 'reject' &&
        answer.trim() === '' && { field: 'answer', code: 'fields_missing', text: t`Tell the customer why` },
    )
  const form = useForm({
    initial: { decision: 'uphold', answer: '' },
    check,
    read: ({ decision, answer }) => ({ id, decision, ...(answer.trim() && { answer: answer.trim() }) }),
    send: decideDispute,
    loading: () => t`Saving the decision…`,
    success: (_, { decision }) => ({
      message:
        decision === 'uphold' ? t`Decided in favor of ${customerName}` : t`Declined. ${customerName} can read why`,
    }),
  })
  const { decision } = form.values
  const decide = (next: Values['decision']) => {
    form.set('decision', next)
    form.onSubmit()
  }
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-3">
      <TextArea {...form.field('answer')} label={t`Answer to the Customer`} maxLength={500} />
      <div className="flex flex-wrap gap-2.5">
        <Button
          className="flex-auto"
          busy={form.busy && decision === 'uphold'}
          disabled={form.busy && decision !== 'uphold'}
          onClick={() => decide('uphold')}
        >
          <Trans comment="Decides a dispute for the customer">Uphold</Trans>
        </Button>
        <Button
          variant="secondary"
          className="flex-auto"
          busy={form.busy && decision === 'reject'}
          disabled={form.busy && decision !== 'reject'}
          onClick={() => decide('reject')}
        >
          <Trans context="a dispute">Decline</Trans>
        </Button>
      </div>
    </form>
  )
}
