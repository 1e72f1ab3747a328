import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Copy } from 'lucide-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { toast } from 'sonner'
import { ERRORS, Refusal } from '#contract/errors.ts'
import type { RecoveryCodes, TwoFactorSetup } from '#contract/identity.ts'
import { messageOf } from '#web/lib/client.ts'
import { copy } from '#web/lib/share.ts'
import { switchTwoFactorOn } from '#web/profile/queries.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { QrCode } from '#web/ui/qr-code.tsx'
import { Sheet } from '#web/ui/sheet.tsx'

const FORM = 'two-factor-setup'

type SetupProps = {
  setup: TwoFactorSetup
  open: boolean
  onOpenChange: (open: boolean) => void
  onDone: (codes: RecoveryCodes) => void
  /** The bank has forgotten this setup; another one is needed. */
  onEnded: () => void
}

/** Brings the secret into an authenticator app, and a code back to show that it arrived. */
export function TwoFactorSetupSheet({ setup, open, onOpenChange, onDone, onEnded }: SetupProps) {
  const queries = useQueryClient()
  const [code, setCode] = useState('')
  const [error, setError] = useState<string | null>(null)
  const { mutate, isPending } = useMutation({
    mutationFn: switchTwoFactorOn,
    onSuccess: (codes) => {
      toast.success('Two-factor authentication is on')
      onDone(codes)
    },
    onError: (refusal) => {
      setError(messageOf(refusal))
      toast.error(messageOf(refusal))
      if (refusal instanceof Refusal && refusal.code === 'step_ended') onEnded()
    },
    onSettled: () => queries.invalidateQueries(),
  })

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (code.trim() !== '') return mutate({ ticket: setup.ticket, code: code.trim() })
    setError(ERRORS.fields_missing.message)
    toast.error(ERRORS.fields_missing.message)
  }

  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      title="Two-factor authentication"
      description="Scan the code with an authenticator app, then type the six digits it shows."
      footer={
        <Button type="submit" form={FORM} busy={isPending} className="w-full">
          Switch on
        </Button>
      }
    >
      <ol className="space-y-5">
        <Part number={1} title="Scan this with your authenticator app">
          <div className="mx-auto mt-3 w-fit overflow-hidden rounded-card border border-line bg-white p-1">
            <QrCode text={setup.uri} label="QR code for your authenticator app" className="size-48" />
          </div>
          <Secret secret={setup.secret} />
        </Part>
        <Part number={2} title="Type the six digits it shows">
          <form id={FORM} noValidate onSubmit={submit} className="mt-3">
            <Field
              label="Code"
              value={code}
              onChange={(event) => {
                setCode(event.currentTarget.value)
                setError(null)
              }}
              error={error ?? undefined}
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={12}
              placeholder="000000"
              enterKeyHint="done"
            />
          </form>
        </Part>
      </ol>
    </Sheet>
  )
}

function Part({ number, title, children }: { number: number; title: string; children: ReactNode }) {
  return (
    <li>
      <h3 className="flex items-center gap-2.5 font-medium">
        <span
          aria-hidden
          className="tabular grid size-7 shrink-0 place-items-center rounded-full bg-leaf-wash text-sm font-semibold text-leaf"
        >
          {number}
        </span>
        {title}
      </h3>
      {children}
    </li>
  )
}

/** The same for who has no second device to scan with. */
function Secret({ secret }: { secret: string }) {
  return (
    <div className="mt-3 flex items-center gap-2 rounded-control bg-sunken py-1.5 ps-4 pe-1.5">
      <div className="min-w-0 flex-1">
        <p className="text-sm text-ink-soft">Or type this key into the app</p>
        <p className="font-mono text-[0.9375rem] leading-snug break-words">{secret.match(/.{1,4}/g)?.join(' ')}</p>
      </div>
      <IconButton icon={Copy} label="Copy key" onClick={() => void copy(secret, 'Key copied')} />
    </div>
  )
}
