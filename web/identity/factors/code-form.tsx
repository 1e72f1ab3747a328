import { useLingui } from '@lingui/react/macro'
import { type FormEvent, useState } from 'react'
import { errorText } from '#web/i18n/words.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { useFocusOnMount } from '#web/ui/focus.ts'
import { OtpField } from '#web/ui/otp-field.tsx'

/** What authenticator apps show (RFC 6238 as they all speak it). */
const DIGITS = 6

type CodeFormProps = {
  /** What the button that sends the code says. */
  action: string
  busy: boolean
  /** The code was good. */
  done?: boolean
  /** What was wrong with the last one, until another is typed. */
  error: string | null
  onEdit: () => void
  /** Answers whether the code was good. */
  onCode: (code: string) => Promise<boolean>
}

/** What is typed, and the way to send it. */
function useCode({ busy, done = false, error, onEdit, onCode }: CodeFormProps) {
  const [recovery, setRecovery] = useState(false)
  const [code, setCode] = useState('')
  const [missing, setMissing] = useState(false)
  const { ref, field: input } = useFocusOnMount<HTMLInputElement>()

  function edit(next: string): void {
    setCode(next)
    setMissing(false)
    onEdit()
  }

  async function send(sent: string): Promise<void> {
    if (busy || done) return
    input.current?.focus()
    setMissing(sent.trim() === '')
    if (sent.trim() === '') return
    const accepted = await onCode(sent)
    // The next one the app shows is another one altogether.
    if (!accepted && !recovery) setCode('')
  }

  return {
    recovery,
    edit,
    send: (sent: string) => void send(sent),
    onSubmit: (event: FormEvent) => {
      event.preventDefault()
      void send(code)
    },
    toggle: () => {
      setRecovery(!recovery)
      edit('')
    },
    field: {
      ref,
      value: code,
      error: missing ? errorText('fields_missing') : (error ?? undefined),
    },
  }
}

/** Asks for what the authenticator app shows or, where the app is lost, for a recovery code. */
export function CodeForm(props: CodeFormProps) {
  const { t } = useLingui()
  const { action, busy, done = false } = props
  const { recovery, edit, send, onSubmit, toggle, field } = useCode(props)
  return (
    <form noValidate onSubmit={onSubmit} className="flex flex-col gap-4">
      {recovery ? (
        <Field
          {...field}
          key="recovery"
          label={t`Recovery Code`}
          placeholder="ABCDE-FGHJK"
          hint={t`Each of your ten recovery codes works once.`}
          maxLength={40}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          onChange={(event) => edit(event.currentTarget.value)}
        />
      ) : (
        <OtpField {...field} key="code" label={t`Six-Digit Code`} length={DIGITS} onChange={edit} onFull={send} />
      )}
      <Button type="submit" busy={busy} disabled={done}>
        {action}
      </Button>
      <Button variant="quiet" size="small" className="self-center" onClick={toggle}>
        {recovery ? t`Use Your Authenticator App` : t`Use a Recovery Code`}
      </Button>
    </form>
  )
}
