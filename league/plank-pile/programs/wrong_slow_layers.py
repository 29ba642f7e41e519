# Right, but keeps a picture of the yard, layer by layer, and looks at each layer from the highest down.
from typing import List


class Solution:
    def plankPile(self, posts: int, drops: List[int]) -> List[int]:
        layers = []  # per layer: the post, and the place of the plank on it
        for place in drops:
            at = len(layers)
            while at and place not in layers[at - 1] and place + 1 not in layers[at - 1]:
                at -= 1
            below = layers[at - 1] if at else {}
            if below.get(place) == below.get(place + 1) == place:
                del below[place], below[place + 1]
                while layers and not layers[-1]:
                    layers.pop()
            else:
                if at == len(layers):
                    layers.append({})
                layers[at][place] = layers[at][place + 1] = place
        tops = [0] * (posts + 1)
        for number, layer in enumerate(layers, 1):
            for post in layer:
                tops[post] = number
        return tops[1:]
