import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import instant from '#web/ui/art/instant.svg?raw'
import insights from '#web/ui/art/insights.svg?raw'
import secure from '#web/ui/art/secure.svg?raw'
import welcome from '#web/ui/art/welcome.svg?raw'

export type Slide = {
  id: string
  /** The name of the slide on its dot. */
  name: MessageDescriptor
  title: MessageDescriptor
  text: MessageDescriptor
  /** The picture as SVG. Its classes take the colors of the theme and the poster. */
  art: string
  /** The class with the colors of the poster behind the picture. */
  poster: string
}

export const SLIDES: readonly Slide[] = [
  {
    id: 'welcome',
    name: msg`Welcome`,
    title: msg`Welcome to Alder`,
    text: msg`A whole bank in your pocket. No branches, no lines, just one calm place for your money to grow.`,
    art: welcome,
    poster: 'poster-brand',
  },
  {
    id: 'secure',
    name: msg`Bank securely`,
    title: msg`Bank securely`,
    text: msg`Identity verification (KYC) and biometrics keep others out, and let you in with a look or a touch.`,
    art: secure,
    poster: 'poster-orange',
  },
  {
    id: 'insights',
    name: msg`Smart insights`,
    title: msg`Smart insights`,
    text: msg`AI-powered spending insights show where your money goes, what has changed and what you could set aside.`,
    art: insights,
    poster: 'poster-blue',
  },
  {
    id: 'instant',
    name: msg`Instant everything`,
    title: msg`Instant everything`,
    text: msg`Move money and get cards the moment you ask, with help from our FinTech partners.`,
    art: instant,
    poster: 'poster-primary',
  },
]
