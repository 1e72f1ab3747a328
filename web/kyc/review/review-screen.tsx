import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { ChevronRight, ClipboardCheck, MousePointerClick, RefreshCw, ShieldAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { Refusal } from '#contract/errors.ts'
import type { ReviewCase } from '#contract/kyc.ts'
import { queueQuery } from '#web/kyc/queries.ts'
import { dateAndTime } from '#web/i18n/dates.ts'
import { useLazyWhenOpen } from '#web/lib/lazy.ts'
import { paths } from '#web/lib/paths.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Rows } from '#web/ui/rows.tsx'
import { Card, Screen } from '#web/ui/screen.tsx'
import { Loading, RowSkeletons } from '#web/ui/skeleton.tsx'

const caseLink = (id: string): string => `${paths.review}?${new URLSearchParams({ case: id })}`

/**
 * The width for a comparison of documents. It exceeds the column of other screens, so it starts below the name in the corner.
 */
const WIDE = 'flex flex-1 flex-col lg:mx-[calc((26.875rem-min(68rem,100vw-6rem))/2)] lg:pt-12'

/** Lists the cases that wait for a reviewer. Other users see `notFound`. */
export function ReviewScreen({ notFound }: { notFound: ReactNode }) {
  const { t } = useLingui()
  const { data, error, refetch, isFetching } = useQuery(queueQuery)
  const chosenId = useSearchParams()[0].get('case')
  if (!data && error instanceof Refusal && error.code === 'not_found') return notFound
  const isBarred = error instanceof Refusal && error.code === 'second_factor_required'
  return (
    <div className={WIDE}>
      <Screen
        title={t`Identity Review`}
        back={chosenId ? paths.review : paths.dashboard}
        actions={
          <>
            <ButtonLink to={paths.reviewDisputes} variant="quiet" size="small">
              <Trans>Disputes</Trans>
            </ButtonLink>
            <IconButton
              icon={RefreshCw}
              label={t`Refresh`}
              aria-busy={isFetching || undefined}
              className={cx(isFetching && '[&>svg]:animate-spin-slow')}
              onClick={() => void refetch()}
            />
          </>
        }
      >
        {isBarred ? (
          <SecondFactorNeeded />
        ) : data ? (
          <Cases cases={data.cases} chosen={chosenId} />
        ) : error ? (
          <LoadFailure error={error} refetch={refetch} />
        ) : (
          <Card>
            <Loading label={t`Loading the cases`} />
            <RowSkeletons count={4} />
          </Card>
        )}
      </Screen>
    </div>
  )
}

/** Shown to reviewers without a second factor, who may not open other people's documents. */
function SecondFactorNeeded() {
  const { t } = useLingui()
  return (
    <EmptyState
      icon={ShieldAlert}
      title={t`Set up a second factor`}
      action={
        <ButtonLink to={paths.securityPrivacy}>
          <Trans>Go to Security & Privacy</Trans>
        </ButtonLink>
      }
    >
      <Trans>
        Reviewers open other people's documents, so you need an authenticator app or a passkey as well as your password.
      </Trans>
    </EmptyState>
  )
}

/** The code of a case is loaded separately, because the list does not need it. */
const loadCase = () => import('#web/kyc/review/review-case.tsx')

/** Shows the list or one case on a phone, and both side by side on a wide screen. */
function Cases({ cases, chosen }: { cases: ReviewCase[]; chosen: string | null }) {
  const { t } = useLingui()
  const listedCase = cases.find(({ id }) => id === chosen)
  const navigate = useNavigate()
  const view = useLazyWhenOpen(loadCase, chosen !== null, () => void navigate(paths.review))
  return (
    <div className="grid flex-1 grid-cols-[minmax(0,1fr)] content-start gap-6 lg:grid-cols-[20rem_minmax(0,1fr)]">
      <div className={cx(chosen && 'max-lg:hidden')}>
        <Queue cases={cases} chosen={chosen} />
      </div>
      <div className={cx(!chosen && 'max-lg:hidden')}>
        {chosen
          ? view && <view.CaseView key={chosen} id={chosen} listed={listedCase} />
          : cases.length > 0 && (
              <EmptyState icon={MousePointerClick} title={t`Choose a case`}>
                <Trans>The case that has waited longest is at the top.</Trans>
              </EmptyState>
            )}
      </div>
    </div>
  )
}

function Queue({ cases, chosen }: { cases: ReviewCase[]; chosen: string | null }) {
  const { t } = useLingui()
  if (cases.length === 0) {
    return (
      <EmptyState icon={ClipboardCheck} title={t`Nothing to review`}>
        <Trans>Every case has been decided. New ones will appear here.</Trans>
      </EmptyState>
    )
  }
  const waiting = cases.length
  return (
    <section aria-labelledby="queue">
      <h2 id="queue" className="tabular px-1 pb-2 text-sm font-medium text-ink-soft">
        <Plural value={waiting} one="# case waiting" other="# cases waiting" />
      </h2>
      <Card>
        <Rows of={cases}>
          {({ id, fullName, initials, email, submittedAt, own }) => (
            <Link
              to={caseLink(id)}
              aria-current={id === chosen ? 'true' : undefined}
              className="flex min-h-18 items-center gap-3 px-4 py-3 -outline-offset-2 transition-colors hover:bg-muted/60 aria-[current]:bg-primary-subtle/60"
            >
              <Avatar initials={initials} name={fullName} className="!size-11" />
              <span className="min-w-0 flex-1">
                <span className="flex items-center gap-2">
                  <span className="truncate font-medium">{fullName}</span>
                  {own && <OwnBadge />}
                </span>
                <span className="block truncate text-sm text-ink-soft">{email}</span>
                <span className="tabular block text-sm text-ink-soft">{dateAndTime(submittedAt)}</span>
              </span>
              <ChevronRight aria-hidden className="size-5 shrink-0 text-ink-soft rtl:-scale-x-100" strokeWidth={2} />
            </Link>
          )}
        </Rows>
      </Card>
    </section>
  )
}

function OwnBadge() {
  return (
    <span className="shrink-0 rounded-full bg-warning-subtle px-2 py-0.5 text-xs font-semibold text-warning">
      <Trans context="the case of the reviewer's own documents">Your own</Trans>
    </span>
  )
}
