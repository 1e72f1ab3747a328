import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { AuthLayout } from '#web/identity/layout/auth-layout.tsx'
import { useEnterApp } from '#web/identity/layout/enter-app.ts'
import { usePasswordRule } from '#web/identity/password/password-rule.ts'
import { signUp } from '#web/identity/queries.ts'
import {
  check,
  EMPTY,
  furthestStep,
  referralIn,
  refusedField,
  type Rules,
  type SignUpField,
  STEP_OF,
  STEPS,
} from '#web/identity/sign-up/sign-up-form.ts'
import { NameStep, PasswordStep, ReviewStep, type SignUpFormState } from '#web/identity/sign-up/sign-up-steps.tsx'
import { useForm } from '#web/lib/form.ts'
import { keepNext, withNext } from '#web/lib/sign-in-redirect.ts'
import { paths } from '#web/lib/paths.ts'
import { NOBODY, typedBefore, useTyped } from '#web/lib/typed.ts'
import { usePhones } from '#web/ui/phones.ts'
import { Stepper } from '#web/ui/stepper.tsx'

const HEADINGS = [
  msg`Create your account`,
  msg({ message: 'Secure your account', comment: 'The account' }),
  msg`Check your details`,
] as const
const INTROS = [
  msg`Let's start with your name and email.`,
  msg`Add your phone number and choose a password only you know.`,
  msg`Does everything look right? You can change it later.`,
] as const

/** The step in view. Each has an entry of the browser's history, so its Back and ours are one. */
function useSteps(furthest: number) {
  const { state, search } = useLocation()
  const navigate = useNavigate()
  const asked = Number((state as { step?: unknown } | null)?.step ?? 1) || 1
  const step = Math.min(asked, furthest)
  useEffect(() => {
    if (asked > step) void navigate(step - asked)
  }, [asked, step, navigate])
  return {
    step,
    goOn: () => void navigate({ pathname: paths.signup, search }, { state: { step: step + 1 } }),
    goTo: (earlier: number) => void navigate(earlier - step),
  }
}

/**
 * With each new step, moves the focus to its heading or, where asked, to a refused field; what was wrong with the step
 * before is left behind.
 */
function useStepChange(step: number, form: Pick<SignUpFormState, 'focus' | 'forgive'>) {
  const shown = useRef(step)
  const refused = useRef<SignUpField | null>(null)
  const arrive = useEffectEvent(() => {
    const field = refused.current
    refused.current = null
    if (field && STEP_OF[field] === step) return form.focus(field, { select: true })
    form.forgive()
    document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
  })
  useEffect(() => {
    if (shown.current === step) return
    shown.current = step
    arrive()
  }, [step])
  return (field: SignUpField) => {
    refused.current = field
  }
}

/** What was typed so far, the step in view, and the way to the next one and in the end to the bank. */
function useSignUpForm() {
  const { t } = useLingui()
  const { search } = useLocation()
  const enterApp = useEnterApp()
  const [initial] = useState(() => typedBefore(paths.signup, EMPTY))

  const form = useForm({
    initial,
    check: (values) => check(values, step, rules),
    goOn: () => {
      if (step < STEPS) goOn()
      return step < STEPS
    },
    read: ({ fullName, email, phone, password }) => ({
      fullName: fullName.trim(),
      email: email.trim(),
      phone: phone.trim(),
      password,
      ...referralIn(search),
    }),
    send: signUp,
    loading: () => t`Creating your account…`,
    success: () => ({ message: t`Account created! Proceeding to KYC verification...` }),
    refusedField,
    onRefused: (refusal) => {
      const field = refusedField(refusal)
      if (!field) return
      focusLater(field)
      goTo(STEP_OF[field])
    },
    onDone: (me) => {
      enterApp(me, withNext(paths.kyc, search))
      keepNext(search)
    },
  })
  const { step, goOn, goTo } = useSteps(furthestStep(form.values))
  const rules = useRules(step)
  const focusLater = useStepChange(step, form)
  // Passwords are kept nowhere.
  useTyped(paths.signup, form, { owner: NOBODY, initial: EMPTY, except: ['password', 'confirmPassword'] })
  return { form, step, goTo, minLength: rules.password.minLength }
}

/** What this bank asks for; what tells is fetched with the step that needs it. */
function useRules(step: number): Rules {
  const password = usePasswordRule(step === STEP_OF.password)
  const phones = usePhones(step === STEP_OF.phone)
  return { password, isPhone: phones?.isPhone ?? (() => true) }
}

/** Opening an account, in three steps. */
export function SignUpScreen() {
  const { t } = useLingui()
  const { form, step, goTo, minLength } = useSignUpForm()
  return (
    <AuthLayout
      title={t({ message: 'Sign Up', context: 'title of a screen' })}
      heading={t(HEADINGS[step - 1] ?? HEADINGS[0])}
      picture="secure"
      onlyBeside
      intro={t(INTROS[step - 1] ?? INTROS[0])}
      back={step === 1 ? paths.home : () => goTo(step - 1)}
    >
      <Stepper
        step={step}
        steps={STEPS}
        label={t({ message: 'Sign-up', comment: 'Names the bar that shows how far one has come' })}
      />
      <form key={step} noValidate onSubmit={form.onSubmit} className="flex flex-1 animate-screen-in flex-col gap-5">
        {step === 1 && <NameStep form={form} />}
        {step === 2 && <PasswordStep form={form} minLength={minLength} />}
        {step === 3 && <ReviewStep form={form} goTo={goTo} />}
      </form>
    </AuthLayout>
  )
}
