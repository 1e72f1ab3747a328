import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'react-router'
import { askForConfirmationLink, kycQuery, submitKyc } from '#web/kyc/queries.ts'
import { StepsView } from '#web/kyc/upload/steps-view.tsx'
import { useLazy } from '#web/lib/lazy.ts'
import { pageAfterSignIn } from '#web/lib/sign-in-redirect.ts'
import { useRedirect } from '#web/lib/timeout.ts'
import { useSubmission } from '#web/lib/submission.ts'
import { LoadFailure, UNREACHABLE } from '#web/ui/load-failure.tsx'
import { Screen } from '#web/ui/screen.tsx'
import { Loading, Skeleton } from '#web/ui/skeleton.tsx'

const loadStatusView = () => import('#web/kyc/status-view.tsx')

export function KycScreen() {
  const { t } = useLingui()
  // A redirected customer continues to the page they wanted, with or without documents.
  const back = pageAfterSignIn(useLocation().search)
  return (
    <Screen title={t`Identity Verification`} back={back}>
      <Verification />
    </Screen>
  )
}

function Verification() {
  const { t } = useLingui()
  const { data: kyc, error, refetch } = useQuery(kycQuery)
  const { search } = useLocation()
  const redirect = useRedirect()
  const { submit, busy, done } = useSubmission({
    send: (_nothing: null, key) => submitKyc(key),
    loading: () => t`Submitting your documents…`,
    success: () => ({ message: t`KYC verification submitted! Redirecting to dashboard...` }),
    // The first mail may be lost, so the app requests another one. If that request fails, the toast has already explained the
    // next step.
    onRefused: ({ code }) => {
      if (code === 'email_unconfirmed') askForConfirmationLink().catch(() => undefined)
    },
  })
  async function complete(): Promise<void> {
    if (await submit(null)) redirect(pageAfterSignIn(search), { afterMs: 2000 })
  }

  // The steps stay visible after the submission until the next screen opens.
  const open = kyc !== undefined && (kyc.status === 'required' || kyc.status === 'again' || done)
  const [hasFailed, setFailed] = useState(false)
  const status = useLazy(loadStatusView, kyc !== undefined && !open && !hasFailed, () => setFailed(true))
  if (open) return <StepsView kyc={kyc} submit={() => void complete()} busy={busy} done={done} />
  if (kyc && status) return <status.StatusView kyc={kyc} />
  if (hasFailed) return <LoadFailure error={UNREACHABLE} refetch={() => setFailed(false)} />
  if (error && !kyc) return <LoadFailure error={error} refetch={refetch} />
  return (
    <div className="flex flex-col gap-5">
      <Loading label={t`Loading your verification`} />
      <Skeleton className="h-8 w-full" />
      <Skeleton className="h-96 w-full !rounded-card" />
      <Skeleton className="h-56 w-full !rounded-card" />
    </div>
  )
}
