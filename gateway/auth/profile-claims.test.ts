import { describe, expect, it } from 'vitest'
import { readProfile } from './profile-claims.js'

const profile = (claims: object) => readProfile(new Map(Object.entries(claims)))

describe('the e-mail address', () => {
  it('is kept as the issuer spells it', () => {
    expect(profile({ email: 'Ä.B@Example.com' }).email).toBe('Ä.B@Example.com')
  })

  it('may have up to 320 characters', () => {
    const longest = `${'a'.repeat(308)}@example.com`
    expect(profile({ email: longest }).email).toBe(longest)
    expect(profile({ email: `a${longest}` }).email).toBeNull()
  })

  it.each([
    undefined,
    null,
    '',
    42,
    true,
    ['a@b.example'],
    { a: 1 },
    'a@b.example\u0000',
    'a\n@b.example',
    '\ud800@b.example',
    '\u202ea@b.example',
  ])('is left out when it is %j', (email) => {
    expect(profile({ email, email_verified: true })).toMatchObject({ email: null, emailVerified: false })
  })

  it.each([
    false,
    null,
    'false',
    'True',
    'TRUE',
    ' true',
    'yes',
    '1',
    '',
    1,
    ['true'],
    [true],
    { true: true },
    undefined,
  ])('is not verified by %j', (verified) => {
    expect(profile({ email: 'a@b.example', email_verified: verified }).emailVerified).toBe(false)
  })

  it.each([true, 'true'])('is verified by %j', (verified) => {
    expect(profile({ email: 'a@b.example', email_verified: verified }).emailVerified).toBe(true)
  })
})

describe('the name', () => {
  it('is kept in every script, with its joiners', () => {
    expect(profile({ name: 'Åsa 陳 👩‍💻 می‌خواهم' }).name).toBe('Åsa 陳 👩‍💻 می‌خواهم')
  })

  it('loses control characters and direction marks', () => {
    expect(profile({ name: ' A\u0000l\u001bi\u0085c\u202ee\u2066\u2028\n' }).name).toBe('Alice')
  })

  it('is cut to 200 characters, never within one', () => {
    expect(profile({ name: '👩'.repeat(201) }).name).toBe('👩'.repeat(200))
  })

  it('drops lone surrogates', () => {
    expect(profile({ name: 'a\ud800b' }).name).toBe('a\ufffdb')
  })

  it.each([undefined, null, '', ' \u0000 ', 42, ['Alice'], {}])('is left out when it is %j', (name) => {
    expect(profile({ name }).name).toBeNull()
  })
})

describe('the picture', () => {
  it('is a normalized https URL', () => {
    expect(profile({ picture: 'https://B.example/ä b.png' }).picture).toBe('https://b.example/%C3%A4%20b.png')
  })

  it('may have up to 2,048 characters', () => {
    const longest = `https://b.example/${'a'.repeat(2_030)}`
    expect(profile({ picture: longest }).picture).toBe(longest)
    expect(profile({ picture: `${longest}a` }).picture).toBeNull()
  })

  it.each([
    undefined,
    null,
    '',
    42,
    ['https://b.example/'],
    'http://b.example/a.png',
    'javascript:alert(1)',
    'data:image/png;base64,AA==',
    '//b.example/a.png',
    'https://',
    'https://user:secret@b.example/a.png',
  ])('is left out when it is %j', (picture) => {
    expect(profile({ picture }).picture).toBeNull()
  })
})
