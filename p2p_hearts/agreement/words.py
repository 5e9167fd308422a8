"""The 256 words of table phrases: short, common, hard to mishear (protocol/SPEC.md section 8.3)."""

from __future__ import annotations

WORDS: tuple[str, ...] = tuple(
    """
    acorn amber anchor angel apple apron arrow aspen
    atlas autumn bacon badge bagel bamboo banjo barley
    basil basket beach beaver bench berry birch bishop
    bison blanket blossom bonfire book bottle bracket branch
    bread breeze brick bridge broom bucket buffalo butter
    button cabin cactus camel candle canoe canyon carpet
    carrot castle cedar cello chalk cherry chess cider
    circus clover cobalt coconut coffee comet copper coral
    cotton cradle crater cricket crown crystal cushion dahlia
    daisy dancer desert diamond dinner dolphin donkey dragon
    drummer eagle earth easel echo eclipse elbow elder
    ember engine falcon farmer feather fiddle finch flame
    flute forest fossil fountain fox galaxy garden garlic
    ginger giraffe glacier goblet granite grape guitar hammer
    harbor hazel helmet heron hickory honey horizon hotel
    iceberg igloo indigo island ivory jacket jaguar jasmine
    jelly jigsaw jungle juniper kayak kettle kitchen kite
    koala ladder lagoon lantern lavender lemon leopard library
    lilac linen lizard lobster lotus magnet mango maple
    marble meadow melon mirror mitten monkey morning mosaic
    mountain muffin museum mustard nectar needle nest nickel
    nine noodle nutmeg oasis ocean olive onion opal
    orange orchard orchid otter oyster paddle palace panda
    paper parrot peach peanut pebble pelican pencil pepper
    piano pigeon pillow pine planet plum pocket polar
    poppy potato prairie pumpkin puzzle quail quartz rabbit
    radish raven ribbon river robin rocket rooster rose
    rubber saddle saffron sailor salmon sandal sapphire scarf
    shadow sherry silver sparrow spider spruce squirrel stable
    summer sunset swan tablet tango teapot temple thunder
    tiger timber tomato tulip tunnel turtle valley vanilla
    velvet violin walnut wander willow window winter zebra
    """.split()
)
"""In alphabetical order; the position is the byte a word stands for."""
