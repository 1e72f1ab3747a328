import type { ComponentType } from 'react'
import { Instant } from '#web/onboarding/art/instant.tsx'
import { Insights } from '#web/onboarding/art/insights.tsx'
import { Secure } from '#web/onboarding/art/secure.tsx'
import { Welcome } from '#web/onboarding/art/welcome.tsx'

export type Slide = {
  /** Names the slide on its dot. */
  name: string
  title: string
  text: string
  Art: ComponentType
  /** The class that colours the poster behind the picture. */
  poster: string
}

export const SLIDES: readonly Slide[] = [
  {
    name: 'Welcome',
    title: 'Welcome to Alder',
    text: 'A whole bank in your pocket. No branches and no queues, just one calm place for your money to grow.',
    Art: Welcome,
    poster: 'poster-brand',
  },
  {
    name: 'Bank securely',
    title: 'Bank securely',
    text: 'Identity verification (KYC) and biometrics keep others out, and let you in with a look or a touch.',
    Art: Secure,
    poster: 'poster-orange',
  },
  {
    name: 'Smart insights',
    title: 'Smart insights',
    text: 'AI-powered spending insights show where your money goes, what has changed and what you could set aside.',
    Art: Insights,
    poster: 'poster-blue',
  },
  {
    name: 'Instant everything',
    title: 'Instant everything',
    text: 'Money moves and cards are made the moment you ask, together with our FinTech partners.',
    Art: Instant,
    poster: 'poster-primary',
  },
]
