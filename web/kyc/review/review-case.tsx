import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleCheck, LockKeyhole, UserRoundX } from 'lucide-react'
import type { ReactNode } from 'react'
import { Refusal } from '#contract/errors.ts'
import { KYC_STEPS, type KycStatus } from '#contract/documents.ts'
import type { ReviewCase } from '#contract/kyc.ts'
import { toast } from '#web/lib/toast.ts'
import { caseQuery, unlockCase } from '#web/kyc/queries.ts'
import { Decisions } from '#web/kyc/review/review-decisions.tsx'
import { CaseHistory } from '#web/kyc/review/review-history.tsx'
import { ReviewDocument } from '#web/kyc/review/review-document.tsx'
import { documentOf } from '#web/kyc/steps.ts'
import { isCanceledError, messageOf } from '#web/lib/api.ts'
import { dateAndTime, wholeDay } from '#web/i18n/dates.ts'
import { kycReasonText } from '#web/i18n/document-words.ts'
import { paths } from '#web/lib/paths.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { EmailText } from '#web/ui/email-text.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Card } from '#web/ui/screen.tsx'
import { Loading, Skeleton } from '#web/ui/skeleton.tsx'

/**
 * Shows a case: the customer, their documents and the decision. `listed`, from the queue, is shown until the case has loaded.
 */
export function CaseView({ id, listed }: { id: string; listed: ReviewCase | undefined }) {
  const { t } = useLingui()
  const { data, error, refetch } = useQuery({ ...caseQuery(id), ...(listed && { placeholderData: listed }) })
  if (data) return <Case reviewed={data} />
  if (error instanceof Refusal && error.code === 'not_found') {
    return (
      <EmptyState icon={CircleCheck} title={t`This case is no longer open`} action={toQueue}>
        <Trans>It has been decided, or it never existed.</Trans>
      </EmptyState>
    )
  }
  if (error) return <LoadFailure error={error} refetch={refetch} />
  return (
    <div className="flex flex-col gap-5">
      <Loading label={t`Loading the case`} />
      <Skeleton className="h-16 w-full" />
      <Skeleton className="h-60 w-full !rounded-card" />
    </div>
  )
}

const toQueue = (
  <ButtonLink to={paths.review}>
    <Trans>Back to Queue</Trans>
  </ButtonLink>
)

function Case({ reviewed }: { reviewed: ReviewCase }) {
  const { t } = useLingui()
  const date = dateAndTime(reviewed.submittedAt)
  return (
    <article aria-labelledby="case-name" className="flex flex-col gap-5">
      <header className="flex items-center gap-3.5 px-1">
        <Avatar initials={reviewed.initials} name={reviewed.fullName} />
        <div className="min-w-0">
          <h2 id="case-name" className="text-lg leading-snug font-semibold tracking-tight break-words">
            {reviewed.fullName}
          </h2>
          <p className="tabular text-sm text-ink-soft">
            <Trans comment="The date and time at which a customer submitted documents">Submitted {date}</Trans>
          </p>
        </div>
      </header>
      <Details reviewed={reviewed} />
      {!reviewed.own && !reviewed.unlocked && <Locked reviewed={reviewed} />}
      {!reviewed.own && reviewed.unlocked && (
        <section aria-label={t`Documents`} className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
          {KYC_STEPS.map((step) => (
            <ReviewDocument key={step} step={step} caseId={reviewed.id} document={documentOf(reviewed, step)} />
          ))}
        </section>
      )}
      <Outcome reviewed={reviewed} />
      {!reviewed.own && <CaseHistory id={reviewed.id} />}
    </article>
  )
}

/** Asks for a second factor before the documents are shown. The confirmation is valid for this case for 15 minutes. */
function Locked({ reviewed }: { reviewed: ReviewCase }) {
  const queries = useQueryClient()
  const unlock = useMutation({
    mutationFn: () => unlockCase(reviewed.id),
    onSuccess: (reviewCase) => queries.setQueryData(caseQuery(reviewed.id).queryKey, reviewCase),
    onError: (error) => {
      if (!isCanceledError(error)) toast.error(messageOf(error))
    },
  })
  return (
    <Card className="flex flex-col items-center gap-3 px-5 py-8 text-center">
      <LockKeyhole aria-hidden className="size-7 text-ink-soft" strokeWidth={1.7} />
      <p className="max-w-sm text-[0.9375rem] text-pretty text-ink-soft">
        <Trans>Confirm it's you to open the documents and decide. We record who opens them.</Trans>
      </p>
      <Button busy={unlock.isPending} onClick={() => unlock.mutate()}>
        <Trans comment="A button that opens the documents">Open Documents</Trans>
      </Button>
    </Card>
  )
}

function Details({ reviewed }: { reviewed: ReviewCase }) {
  const { t } = useLingui()
  const { email, phone, dateOfBirth, address, postcode } = reviewed
  return (
    <Card>
      <dl className="grid gap-x-6 gap-y-3.5 p-4 sm:grid-cols-2">
        <Detail name={t`Email`}>
          <EmailText email={email} />
        </Detail>
        <Detail name={t`Phone`}>{phone}</Detail>
        <Detail name={t`Date of Birth`}>{dateOfBirth && wholeDay(dateOfBirth)}</Detail>
        <Detail name={t`Address`}>{[address, postcode].filter(Boolean).join('\n')}</Detail>
      </dl>
    </Card>
  )
}

function Detail({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-ink-soft">{name}</dt>
      <dd className="tabular font-medium break-words whitespace-pre-line">
        {children || <Trans context="a detail of a customer">Not provided</Trans>}
      </dd>
    </div>
  )
}

const DECIDED: Record<Exclude<KycStatus, 'submitted'>, MessageDescriptor> = {
  required: msg`Documents are missing.`,
  approved: msg`This case was approved.`,
  rejected: msg`This case was rejected.`,
  again: msg`The customer was asked for new documents.`,
}

/** Shows the buttons for the decision, a past decision, or the reason why this reviewer cannot decide. */
function Outcome({ reviewed }: { reviewed: ReviewCase }) {
  const { t } = useLingui()
  if (reviewed.status !== 'submitted') {
    return (
      <div className="rounded-card bg-muted p-4">
        <p className="font-medium">{t(DECIDED[reviewed.status])}</p>
        {reviewed.reason && (
          <p className="mt-1 text-[0.9375rem] whitespace-pre-line">{kycReasonText(reviewed.reason)}</p>
        )}
      </div>
    )
  }
  if (!reviewed.own) return reviewed.unlocked && <Decisions reviewed={reviewed} />
  return (
    <p className="flex items-center gap-2.5 rounded-card bg-warning-subtle p-4 font-medium text-warning">
      <UserRoundX aria-hidden className="size-5 shrink-0" strokeWidth={2} />
      <Trans>This is your own case, so someone else has to review it.</Trans>
    </p>
  )
}
