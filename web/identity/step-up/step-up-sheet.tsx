import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { Refusal } from '#contract/errors.ts'
import type { StepUp, StepUpRequest } from '#contract/identity.ts'
import type { Proof } from '#contract/step-up.ts'
import { CodeForm } from '#web/identity/factors/code-form.tsx'
import { requestPasskey } from '#web/identity/factors/passkey.ts'
import { proveStepUp, readStepUp } from '#web/identity/queries.ts'
import { stepUpReasonFor } from '#web/identity/step-up/step-up-reason.ts'
import { type WaitingRequest, messageOf } from '#web/lib/api.ts'
import { formErrors, useFields } from '#web/lib/form.ts'
import { Button } from '#web/ui/button.tsx'
import { EmailText } from '#web/ui/email-text.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { Sheet } from '#web/ui/sheet.tsx'
import { Loading, Skeleton } from '#web/ui/skeleton.tsx'

export type StepUpSheetProps = {
  token: string
  /** The request that waits for the proof. */
  request: WaitingRequest
  open: boolean
  onSettled: (proved: boolean) => void
}

/** Asks the customer for a new proof and states the reason. */
export function StepUpSheet({ token, request, open, onSettled }: StepUpSheetProps) {
  const { t } = useLingui()
  return (
    <Sheet
      open={open}
      onOpenChange={(next) => {
        if (!next) onSettled(false)
      }}
      title={t`Confirm it's you`}
      description={t`Confirm it's you to continue with your request.`}
    >
      <div className="flex flex-col gap-5">
        <Reason request={request} />
        <Proofs token={token} onProved={() => onSettled(true)} />
      </div>
    </Sheet>
  )
}

function Reason({ request }: { request: WaitingRequest }) {
  const reason = stepUpReasonFor(request)
  if (reason.kind === 'other') return <p className="text-pretty text-ink-soft">{reason.text}</p>
  const { amount } = reason
  // The payee is an element and not a string, because `<` and `>` in a string would be parsed as a tag.
  const payee = <EmailText email={reason.payee} />
  return (
    <div className="rounded-card border border-line bg-surface px-5 py-4 text-center shadow-card">
      <Trans comment="The three tags are three lines of one sentence">
        <p className="text-sm text-ink-soft">You send</p>
        <p className="tabular text-3xl font-semibold tracking-tight">{amount}</p>
        <p className="text-ink-soft">
          to <strong className="font-semibold text-ink [overflow-wrap:anywhere]">{payee}</strong>
        </p>
      </Trans>
    </div>
  )
}

/** Shows the proofs that this customer can give, the fastest first. */
function Proofs({ token, onProved }: { token: string; onProved: () => void }) {
  const { t } = useLingui()
  const queries = useQueryClient()
  const queryKey = ['step-up', token]
  const { data, error } = useQuery({
    queryKey,
    queryFn: ({ signal }) => readStepUp(token, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const [chosenProof, setChosen] = useState<Proof | null>(null)
  const [errorMessage, setErrorMessage] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [isDone, setDone] = useState(false)

  async function prove(proof: () => Promise<StepUpRequest>): Promise<boolean> {
    setBusy(true)
    setErrorMessage(null)
    try {
      await proveStepUp(token, await proof())
      setDone(true)
      onProved()
      return true
    } catch (refusal) {
      setErrorMessage(messageOf(refusal))
      // Each try needs a new challenge, unless no passkey was used.
      if (!(refusal instanceof Refusal && refusal.code === 'passkey_cancelled'))
        await queries.invalidateQueries({ queryKey })
      return false
    } finally {
      setBusy(false)
    }
  }

  if (error && !data) return <Trouble message={messageOf(error)} />
  if (!data) {
    return (
      <div className="flex flex-col gap-4">
        <Loading label={t`Loading`} />
        <Skeleton className="h-13 w-full !rounded-control" />
        <Skeleton className="h-13 w-full !rounded-control" />
      </div>
    )
  }
  const way = chosenProof ?? data.proofs[0]
  const state = { busy, done: isDone, wrong: errorMessage, onEdit: () => setErrorMessage(null), prove }
  return (
    <>
      {way === 'passkey' && <Passkey {...state} options={data.passkey} />}
      {way === 'code' && (
        <CodeForm
          action={t`Confirm`}
          busy={busy}
          done={isDone}
          error={errorMessage}
          onEdit={state.onEdit}
          onCode={(code) => prove(async () => ({ code }))}
        />
      )}
      {way === 'password' && <Password {...state} />}
      <OtherWays
        ways={data.proofs.filter((proof) => proof !== way)}
        onChoose={(next) => {
          setChosen(next)
          setErrorMessage(null)
        }}
      />
    </>
  )
}

const WAYS: Record<Proof, MessageDescriptor> = {
  passkey: msg`Use a Passkey Instead`,
  code: msg`Use Your Authenticator App Instead`,
  password: msg`Use Your Password Instead`,
}

function OtherWays({ ways, onChoose }: { ways: readonly Proof[]; onChoose: (proof: Proof) => void }) {
  const { t } = useLingui()
  if (ways.length === 0) return null
  return (
    <div className="flex flex-col items-center border-t border-line pt-3">
      {ways.map((proof) => (
        <Button key={proof} variant="quiet" size="small" onClick={() => onChoose(proof)}>
          {t(WAYS[proof])}
        </Button>
      ))}
    </div>
  )
}

function Trouble({ message }: { message: string }) {
  return (
    <p role="alert" className="rounded-control bg-danger-subtle px-4 py-3 text-[0.9375rem] font-medium text-danger">
      {message}
    </p>
  )
}

type WayProps = {
  busy: boolean
  done: boolean
  wrong: string | null
  onEdit: () => void
  /** Returns whether the proof was accepted. */
  prove: (proof: () => Promise<StepUpRequest>) => Promise<boolean>
}

function Passkey({ busy, done, wrong, prove, options }: WayProps & { options: StepUp['passkey'] }) {
  return (
    <>
      {wrong && <Trouble message={wrong} />}
      <Button
        busy={busy}
        done={done}
        disabled={!options}
        icon={<KeyRound aria-hidden className="size-5" strokeWidth={2} />}
        onClick={() => void prove(async () => ({ passkey: await requestPasskey(options ?? {}) }))}
      >
        <Trans>Use Passkey</Trans>
      </Button>
    </>
  )
}

function Password({ busy, done, wrong, onEdit, prove }: WayProps) {
  const { t } = useLingui()
  const form = useFields({
    initial: { password: '' },
    // The password is the only field of the sheet.
    startAt: 'password',
    check: ({ password }) =>
      formErrors(password === '' && { field: 'password', code: 'fields_missing', text: t`Enter your password` }),
  })
  const { error, onChange, ...field } = form.field('password')
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(({ password }) => prove(async () => ({ password })).then(() => form.set('password', '')))}
      className="flex flex-col gap-4"
    >
      <PasswordField
        {...field}
        label={t`Your Password`}
        maxLength={200}
        autoComplete="current-password"
        enterKeyHint="go"
        error={error ?? wrong ?? undefined}
        onChange={(event) => {
          onChange(event)
          onEdit()
        }}
      />
      <Button type="submit" busy={busy} done={done}>
        <Trans>Confirm</Trans>
      </Button>
    </form>
  )
}
