import { describe, expect, it } from 'vitest'
import { runOnText } from '../testing/run-tool.js'
import { yamlToJson } from './yaml-to-json.js'

const compact = { indent: 'none', final_newline: false }

describe('YAML to JSON', () => {
  it.each([
    [
      'base: &b\n  image: node\n  env: {A: 1}\njob:\n  <<: *b\n  image: deno\njob2:\n  <<: [*b, {x: 1}]\n',
      '{"base":{"image":"node","env":{"A":1}},"job":{"env":{"A":1},"image":"deno"},"job2":{"image":"node","env":{"A":1},"x":1}}',
    ],
    [
      'a: &a {x: 1, y: 1}\nb: &b {<<: *a, y: 2}\nc: {z: 0, <<: [*b, *a, {x: 9, w: 3}]}',
      '{"a":{"x":1,"y":1},"b":{"x":1,"y":2},"c":{"z":0,"x":1,"y":2,"w":3}}',
    ],
    ['{x: own, <<: {x: 1, y: 2}, y: own}', '{"x":"own","y":"own"}'],
    ['a: &l [{x: 1}, {x: 2}]\nb: {<<: *l}', '{"a":[{"x":1},{"x":2}],"b":{"x":1}}'],
    ['{<<: []}', '{}'],
    ['{"<<": {a: 1}}', '{"<<":{"a":1}}'],
    ['{!!merge <<: {a: 1}}', '{"a":1}'],
  ])('merges when asked: %j', async (yaml, json) => {
    expect(await runOnText(yamlToJson, yaml, { ...compact, merge: 'apply' })).toBe(json)
  })

  it('keeps << as a member when asked, also in YAML 1.1', async () => {
    for (const version of ['', '%YAML 1.1\n---\n'])
      expect(
        await runOnText(yamlToJson, `${version}a: &a {x: 1}\nb: {<<: *a}`, { ...compact, merge: 'keep' }),
      ).toBe('{"a":{"x":1},"b":{"<<":{"x":1}}}')
  })

  it.each([
    ['{<<: 1}', 'yaml_merge'],
    ['{<<: [{a: 1}, b]}', 'yaml_merge'],
    ['{<<: !x {a: 1}}', 'yaml_merge'],
    ['{<<: {a: 1}, <<: {b: 1}}', 'duplicate_key'],
    ['{<<: *none}', 'yaml_invalid'],
    ['a: &a {x: {<<: *a}}', 'yaml_cyclic'],
    ['a: &a {<<: *a}', 'yaml_cyclic'],
  ])('does not merge %j', async (yaml, code) => {
    await expect(runOnText(yamlToJson, yaml, { merge: 'apply' })).rejects.toMatchObject({ code })
  })

  it.each([
    [
      'a: !Ref X\nb: !GetAtt Role.Arn\nc: !GetAtt Stack.Outputs.Id\nd: !GetAtt [R, Arn]',
      '{"a":{"Ref":"X"},"b":{"Fn::GetAtt":["Role","Arn"]},"c":{"Fn::GetAtt":["Stack","Outputs.Id"]},"d":{"Fn::GetAtt":["R","Arn"]}}',
    ],
    ['!If [IsProd, !Ref A, !Ref "AWS::NoValue"]', '{"Fn::If":["IsProd",{"Ref":"A"},{"Ref":"AWS::NoValue"}]}'],
    [
      'a: !Condition C\nb: !Join ["", [!Sub x, y]]',
      '{"a":{"Condition":"C"},"b":{"Fn::Join":["",[{"Fn::Sub":"x"},"y"]]}}',
    ],
    [
      'a: !!binary |\n  aGVs\n  bG8=\nb: !!set {x, y}\nc: !!omap [k: 1]\nd: !!timestamp 2001-12-14',
      '{"a":"aGVsbG8=","b":{"x":null,"y":null},"c":[{"k":1}],"d":"2001-12-14"}',
    ],
  ])('writes what tags stand for when asked: %j', async (yaml, json) => {
    expect(await runOnText(yamlToJson, yaml, { ...compact, tags: 'json' })).toBe(json)
  })

  it('keeps any tag when asked', async () => {
    const yaml =
      'a: !vault |\n  $ANSIBLE\nb: !reference [.x, script]\nc: !!binary aGk=\nd: !!str 1\ne: !<tag:x,2020:y> {f: !Ref g}'
    expect(await runOnText(yamlToJson, yaml, { ...compact, tags: 'keep' })).toBe(
      '{"a":{"!vault":"$ANSIBLE\\n"},"b":{"!reference":[".x","script"]},"c":{"!!binary":"aGk="},"d":"1","e":{"!<tag:x,2020:y>":{"f":{"!Ref":"g"}}}}',
    )
  })

  it.each([
    ['a: !vault x', 'json'],
    ['a: !Fn::Sub x', 'json'],
    ['a: !!binary "no-Base64"', 'json'],
    ['a: !!set [x]', 'json'],
    ['!foo a: 1', 'keep'],
    ['!foo a: 1', 'json'],
  ])('refuses a tag that stands for nothing: %j, tags=%s', async (yaml, tags) => {
    await expect(runOnText(yamlToJson, yaml, { tags })).rejects.toMatchObject({ name: 'ToolInputError' })
  })

  it('stops at merges that multiply', async () => {
    const levels = Array.from({ length: 30 }, (_level, at) =>
      at === 0 ? 'l0: &l0 {x: 1}' : `l${at}: &l${at} {<<: [${`*l${at - 1}, `.repeat(9)}*l${at - 1}]}`,
    )
    await expect(runOnText(yamlToJson, levels.join('\n'), { merge: 'apply' })).rejects.toMatchObject({
      code: 'yaml_aliases',
    })
  })

  it('looks for old line ends once, however many documents there are', async () => {
    const text = `%YAML 1.1\n${'---\n'.repeat(20_000)}# ${'x'.repeat(2_000_000)}\n`
    expect(await runOnText(yamlToJson, text, { ...compact, documents: 'array' })).toMatch(/^\[null,null/)
  })
})
